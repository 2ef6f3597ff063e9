import type { Evidence } from './evidence.js';
import type { MessageFacts, ThreadFacts } from './rows.js';
import { violation, type Violation } from './violation.js';

/**
 * I1: every acknowledged message exists with the seq in the answer, and later reads show it. I2: the seqs of a thread
 * are exactly 1..n; those that a fork got from its parent may have gaps where that was rewound. I3: a message sent after an answer has a higher seq than the answered ones. I4: no message twice,
 * none that no client sent.
 */
export function acknowledged(evidence: Evidence): Violation[] {
  const found: Violation[] = [];
  const byUid = Map.groupBy(evidence.messages, (message) => message.uid);
  const journaled = new Map<string, Set<string>>();
  const stored = new Map<string, Map<string, MessageFacts[]>>();
  for (const thread of evidence.threads) {
    const messages = byUid.get(thread.uid) ?? [];
    if (!thread.erased) found.push(...gaps(thread, messages));
    const named = messages.filter((message) => message.clientId !== null);
    stored.set(
      thread.name,
      Map.groupBy(named, (message) => message.clientId!),
    );
  }
  for (const journal of evidence.journals) {
    /** The highest answered seq by thread, and its value when a message was first sent. */
    const answered = new Map<string, number>();
    const minSeqs = new Map<string, number>();
    for (const entry of journal) {
      const at = `${entry.project}/${entry.thread}`;
      if (entry.kind === 'intent') {
        minSeqs.set(`${at} ${entry.id}`, answered.get(at) ?? 0);
        journaled.set(at, (journaled.get(at) ?? new Set()).add(entry.id));
      } else if (entry.kind === 'ack') {
        const rows = stored.get(at)?.get(entry.id) ?? [];
        if (!rows.some((row) => row.seq === entry.seq))
          found.push(violation('I1', at, entry.seq, `${entry.id} was acknowledged and is not there`));
        const minSeq = minSeqs.get(`${at} ${entry.id}`) ?? 0;
        if (entry.seq <= minSeq)
          found.push(violation('I3', at, entry.seq, `${entry.id} was sent after seq ${minSeq} was answered`));
        answered.set(at, Math.max(answered.get(at) ?? 0, entry.seq));
      } else if (entry.kind === 'context' && entry.lastSeq < entry.ackedBefore) {
        const stale = `a context ended at seq ${entry.lastSeq} after ${entry.ackedBefore} was answered`;
        found.push(violation('I1', at, entry.lastSeq, stale));
      } else if (entry.kind === 'refused') {
        found.push(violation('P17', at, null, `${entry.id} was refused: ${entry.status} ${entry.code}`));
      }
    }
  }
  for (const [at, ids] of stored)
    for (const [id, rows] of ids) {
      const [, second, ...more] = rows.filter(({ rewound }) => !rewound);
      if (second) found.push(violation('I4', at, second.seq, `${id} is there ${more.length + 2} times`));
      if (journaled.has(at) && !journaled.get(at)!.has(id))
        found.push(violation('I4', at, rows[0]!.seq, `nobody sent ${id}`));
    }
  return found;
}

function gaps({ name: at, nextSeq, forkSeq }: ThreadFacts, all: readonly MessageFacts[]): Violation[] {
  const before = forkSeq ?? 0;
  const messages = all.filter(({ seq }) => seq > before);
  const wrong = messages.findIndex((message, i) => message.seq !== before + i + 1);
  if (wrong >= 0)
    return [violation('I2', at, messages[wrong]!.seq, `seq ${before + wrong + 1} was expected here`)];
  const counted = nextSeq - 1 - before;
  if (messages.length === counted) return [];
  return [
    violation('I2', at, nextSeq - 1, `the thread counts ${counted} messages and has ${messages.length}`),
  ];
}
