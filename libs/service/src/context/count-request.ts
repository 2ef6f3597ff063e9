import { raiseRequestTokens } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { weighThread } from '../threads/weigh-thread.js';
import type { ReadContext } from './context.js';

/** Less is not worth weighing the thread again: an agent may bring one tool more with each request. Of the limit. */
const noticed = 0.01;

/**
 * Counts what requests bring beside the messages, such as tools and another system prompt, as live tokens of the
 * thread: it is compacted before its contexts have to leave messages out. The most that one brought counts.
 */
export async function countRequest(rt: Runtime, { made: { row, frame } }: ReadContext): Promise<void> {
  const settings = await rt.settings.ofRow(row);
  const tokens = frame.systemTokens - settings.systemTokens;
  if (tokens - settings.requestTokens < noticed * settings.budget.limit) return;
  const { projectId, uid, id } = row;
  if (!(await raiseRequestTokens(rt.store.query, { projectId, uid, tokens }))) return;
  rt.settings.forgetThread(projectId, id);
  await weighThread(rt, projectId, id);
}
