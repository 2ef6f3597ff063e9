import type { Evidence } from './evidence.js';
import { violation, type Violation } from './violation.js';

/** How long a blob may stay after its removal is due: until a sweep runs. */
const sweepPatienceSeconds = 180;

/**
 * I13: every readable output has its bytes, each read returned the right ones, and none was gone too early. I14:
 * nothing is stored without a row.
 */
export function storedOutputs(evidence: Evidence): Violation[] {
  const found: Violation[] = [];
  const named = new Set<string>();
  const names = new Map(evidence.threads.map((thread) => [thread.uid, thread.name]));
  for (const output of evidence.outputs) {
    const { id, state, blobKey, originalKey, seq } = output;
    const at = names.get(output.uid ?? '') ?? id;
    const blob = evidence.blobs.get(blobKey);
    if (state !== 'deleted') named.add(blobKey);
    if (state !== 'deleted' && originalKey !== null) named.add(originalKey);
    if (state === 'corrupt') found.push(violation('I13', at, seq, `output ${id} is corrupt`));
    const overdue = (output.removableForSeconds ?? 0) > sweepPatienceSeconds;
    if (state === 'deleting' && overdue)
      found.push(violation('I14', at, seq, `output ${id} should have been removed by now`));
    if (state !== 'ready') continue;
    if (output.uid === null) found.push(violation('I13', at, seq, `output ${id} belongs to no message`));
    if (!blob) found.push(violation('I13', at, seq, `output ${id} has no bytes`));
    else if (blob.bytes !== output.bytes || blob.sha256 !== output.sha256)
      found.push(violation('I13', at, seq, `output ${id} has other bytes than were written`));
  }
  for (const entry of evidence.journals.flat()) {
    if (entry.kind !== 'output') continue;
    const at = `${entry.project}/${entry.thread}`;
    if (entry.status === 200 && entry.sha256 !== entry.expected)
      found.push(violation('I13', at, null, `a read of output ${entry.output} gave wrong bytes`));
    if (entry.status === 410 && entry.expiresInMs > 1_000)
      found.push(
        violation('I13', at, null, `output ${entry.output} was gone ${entry.expiresInMs} ms too early`),
      );
  }
  for (const key of evidence.blobs.keys()) {
    const media = /\/media\/([0-9a-f]{64})\./.exec(key)?.[1];
    const archived = /\/threads\/([0-9a-f-]{36})\/context\//.exec(key)?.[1];
    const belongs =
      named.has(key) ||
      (media !== undefined && evidence.mediaHashes.has(media)) ||
      (archived !== undefined && names.has(archived));
    if (!belongs) found.push(violation('I14', key, null, 'no row names this blob'));
  }
  for (const key of evidence.leftovers) found.push(violation('I14', key, null, 'left behind by a write'));
  return found;
}
