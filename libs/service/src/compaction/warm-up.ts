import { setImmediate as nextTurn } from 'node:timers/promises';
import { instructionsIn, loadCounter } from '@spillway/engine';
import type { Runtime } from '../runtime.js';

/**
 * No instruction, so that every rule looks at it; with clauses, because rules look at each. Without
 * `--no-regexp-tier-up` V8 compiles an expression when it is first used and once more soon after, so the rules see
 * three sentences that differ.
 */
const samples = ['first', 'second', 'third'].map(
  (which) =>
    `The build of the ${which} module ended with an error, and somebody looked at the log; it is long.`,
);

/**
 * Runs what the first compaction of a process needs and compiles or loads when it is first used: the rules of standing
 * instructions and the counter of tokens. Otherwise the first thread would wait for it. Other work goes on in between.
 */
export async function warmUp({ settings }: Pick<Runtime, 'settings'>): Promise<void> {
  const { counter, chars_per_token: charsPerToken } = settings.serverDefaults().context;
  const count = await loadCounter(counter, charsPerToken);
  for (const text of samples) {
    await nextTurn();
    count(text);
    instructionsIn({ seq: 1, role: 'user', text, results: [] });
  }
}
