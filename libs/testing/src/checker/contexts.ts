import type { ContextRead } from '../journal.js';
import type { Evidence } from './evidence.js';
import { violation, type Violation } from './violation.js';

/**
 * I9: every context fits its budget, by the service's count and the client's, and every message is shown, summarized or
 * reported as left out. I10: a provider would accept it. I16: no project ever saw another's text.
 */
export function contexts(evidence: Evidence): Violation[] {
  const found: Violation[] = [];
  const names = new Map(evidence.threads.map((thread) => [thread.uid, thread.name]));
  const seqs = new Map(
    evidence.messages.map((message) => [`${names.get(message.uid)} ${message.clientId}`, message.seq]),
  );
  for (const entry of evidence.journals.flat()) {
    if (entry.kind !== 'context' && entry.kind !== 'output') continue;
    const at = `${entry.project}/${entry.thread}`;
    const foreign = entry.canaries.filter((canary) => canary !== entry.project);
    if (foreign.length > 0)
      found.push(violation('I16', at, null, `its ${entry.kind} held text of ${foreign.join(', ')}`));
    if (entry.kind === 'output') continue;
    const { tokens, counted, limit, lastSeq, complaint } = entry;
    if (tokens > limit || counted > limit)
      found.push(violation('I9', at, lastSeq, `${tokens} tokens, ${counted} by our count, of ${limit}`));
    if (complaint) found.push(violation('I10', at, lastSeq, complaint));
    const missing = unaccounted(entry, (id) => seqs.get(`${at} ${id}`));
    if (missing !== undefined)
      found.push(violation('I9', at, missing, 'neither shown nor summarized nor said to be left out'));
  }
  return found;
}

/** The first seq that a context does not account for. */
function unaccounted(entry: ContextRead, seqOf: (id: string) => number | undefined): number | undefined {
  const known = new Set(entry.shown.map(seqOf));
  // A summary is folded from the previous one, so it also covers everything before its own range.
  const summarized = entry.summary?.to ?? 0;
  for (let seq = summarized + 1; seq <= entry.lastSeq; seq++)
    if (!known.has(seq) && !entry.elided.some(({ from, to }) => from <= seq && seq <= to)) return seq;
  return undefined;
}
