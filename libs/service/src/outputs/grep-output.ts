import { grep, type GrepQuery, type GrepResult } from '@spillway/blobs';
import { asGone, blobOf, openOutputOfThread } from './read-output.js';
import type { Runtime } from '../runtime.js';
import { withSearchSlot } from '../search/search-slots.js';

/** Maximum time of one call; its answer contains where to resume. */
const deadlineMs = 2_000;

/** Searches an output. Throws `unsupported_regex`, `output_not_found`, `output_gone`, `too_many_searches`. */
export async function grepOutput(
  rt: Runtime,
  projectId: string,
  id: string,
  query: Omit<GrepQuery, 'deadlineMs' | 'shown'> & { maxTokens: number },
): Promise<GrepResult> {
  const { output, threadId } = await openOutputOfThread(rt, projectId, id);
  const { count } = await rt.settings.ofId(projectId, threadId);
  const shown = { tokens: query.maxTokens, count };
  return withSearchSlot(projectId, () =>
    grep(rt.blobs, blobOf(output), { ...query, shown, deadlineMs }).catch((error: unknown) =>
      asGone(rt, output, error),
    ),
  );
}
