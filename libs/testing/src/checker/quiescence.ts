import type { Evidence } from './evidence.js';
import { violation, type Violation } from './violation.js';

/** How long a due thread may wait for a worker under low load. */
const patienceSeconds = 120;
/** Maximum claims of a thread per generation: failed and lost ones, with a margin. */
const maxAttempts = 16;
/** Outcomes after which a thread needs no further attempt. */
const ends = new Set(['compacted', 'prepared', 'proposed', 'nothing_to_compact', 'parked']);
/** Maximum model calls per attempt: a long range is folded in parts. */
const maxCallsPerAttempt = 8;

/**
 * I8: after the load nothing runs and nothing has been due for long. I12: attempts per generation are bounded, and so
 * are model calls.
 */
export function quiescence(evidence: Evidence): Violation[] {
  const found: Violation[] = [];
  const attempts = Map.groupBy(evidence.attempts, (attempt) => attempt.uid);
  for (const thread of evidence.threads) {
    const say = (detail: string) => found.push(violation('I8', thread.name, null, detail));
    if (thread.leased) say('a worker still holds its lease');
    else if (thread.dueForSeconds !== null && !thread.inBackoff && thread.dueForSeconds > patienceSeconds)
      say(`it has been due for ${Math.round(thread.dueForSeconds)} s`);
    const own = attempts.get(thread.uid) ?? [];
    for (const { epoch, outcome } of own)
      if (outcome === null && !thread.leased && thread.dueForSeconds === null)
        say(`attempt ${epoch} is still said to be running`);
    let inARow = 0;
    for (const { epoch, outcome } of own) {
      inARow = outcome !== null && ends.has(outcome) ? 0 : inARow + 1;
      if (inARow === maxAttempts + 1)
        found.push(violation('I12', thread.name, null, `${inARow} attempts without an end, up to ${epoch}`));
    }
  }
  const { modelCalls } = evidence;
  if (modelCalls !== null && modelCalls > evidence.attempts.length * maxCallsPerAttempt)
    found.push(
      violation('I12', 'model', null, `${modelCalls} calls for ${evidence.attempts.length} attempts`),
    );
  return found;
}
