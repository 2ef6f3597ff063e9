import type { contextBody } from '@spillway/contracts';
import {
  readContext,
  serveContext,
  waitForFold,
  type CallerRow,
  type ReadContext,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';

type Options = z.infer<typeof contextBody>;

/** The context of a thread as a caller asks for it. */
export async function contextFor(
  rt: Runtime,
  caller: CallerRow,
  threadId: string,
  options: Options,
): Promise<ReadContext> {
  const { max_tokens: maxTokens, omit, wait, ...rest } = options;
  const { projectId } = caller;
  if (wait !== undefined) await waitForFold(rt, { projectId, threadId }, wait);
  const asked = { projectId, threadId, ...rest, ...(maxTokens ? { maxTokens } : {}) };
  // Recorded and counted as served only when it may go to a model. A session belongs to a person, and `at` reads the
  // past.
  const isServed = caller.sessionId === null && options.at === undefined && !omit;
  return isServed ? serveContext(rt, asked) : readContext(rt, asked);
}
