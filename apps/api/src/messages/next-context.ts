import type { contextBody } from '@spillway/contracts';
import { problemOf, type CallerRow, type Runtime, type ThreadRow } from '@spillway/service';
import type { z } from 'zod';
import { contextFor } from '../context/context-for.js';
import { contextView } from '../context/context.view.js';
import { asSpillwayError } from '../http/problem.filter.js';

/**
 * The context that follows an append. The messages are recorded, so a failure here is part of the answer and no error:
 * an error would make the caller post them again. It names the request, as an error would.
 */
export async function nextContext(
  rt: Runtime,
  caller: CallerRow,
  { id, uid }: Pick<ThreadRow, 'id' | 'uid'>,
  options: z.infer<typeof contextBody>,
  requestId: string,
) {
  try {
    return { context: contextView(await contextFor(rt, caller, id, options), {}) };
  } catch (thrown) {
    const error = asSpillwayError(thrown);
    rt.log.warn({ err: error, thread: uid, request: requestId }, 'no context after an append');
    return { context: null, context_problem: problemOf(error, requestId) };
  }
}
