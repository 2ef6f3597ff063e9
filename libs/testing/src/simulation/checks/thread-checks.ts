import type { MessageCounter } from '@spillway/engine';
import type { SummaryRecord, ThreadTable } from '../memory/rows.js';
import type { Tables } from '../memory/tables.js';
import { headSeqOf } from '../memory/thread-row-of.js';
import { promise } from '../violation.js';
import { checkCallersWords } from './callers-words.js';
import { liveTokensOf } from './live-tokens.js';

/** A thread that failed so often waits for a person. */
const maxAttempts = 8;

/** What must hold of a thread's rows after every statement. */
export function checkThread(thread: ThreadTable, tables: Tables, counter: MessageCounter): void {
  const { row: t, summaries } = thread;
  const where = () => `${t.id} (covered ${t.coveredThrough}, generation ${t.generation}, chain ${t.chain})`;
  if (t.deletedAt !== null) {
    const left =
      thread.messages.length + summaries.length + thread.attempts.length + (thread.prepared === null ? 0 : 1);
    promise(
      left + thread.served.size + thread.prompts.size === 0,
      () => `an erased thread holds text: ${where()}`,
    );
    return;
  }
  checkMessages(thread, where);
  promise(t.coveredThrough <= headSeqOf(t), () => `covers messages that are not there: ${where()}`);
  checkRewound(thread, where);
  checkGenerations(thread, where);
  checkPrepared(thread, where);
  checkChain(
    summaries.filter((summary) => summary.chain === t.chain),
    thread,
    where,
  );
  checkCallersWords(thread, where);
  // After a change of the limit, messages are weighed by it with the next look.
  const isWeighed = t.weighedVersion === tables.projects.get(t.projectId)!.settingsVersion;
  const { min, max } = liveTokensOf(thread, counter);
  promise(
    !isWeighed || (min <= t.liveTokens && t.liveTokens <= max),
    () => `live tokens are ${min} to ${max} and not ${t.liveTokens}: ${where()}`,
  );
  const isOver = t.summaryEnabled && t.liveTokens >= t.triggerTokens;
  const isWaiting = t.needsCompaction || t.parkReason !== null || isAnsweredInVain(thread, tables);
  const hasFailed = thread.attempts.at(-1)?.outcome === 'failed';
  promise(!hasFailed || t.attempt < maxAttempts, () => `failed ${t.attempt} times: ${where()}`);
  const isAskedFor = t.request !== null && t.parkReason === null;
  promise(!isAskedFor || t.needsCompaction, () => `what was asked for is not due: ${where()}`);
  promise(!isOver || isWaiting, () => `is over its trigger and not due: ${where()}`);
}

/** Every number is of one summary: one that took effect, or one that was prepared. */
function checkGenerations({ row: t, summaries, attempts }: ThreadTable, where: () => string): void {
  const inPlace = summaries.map(({ generation }) => generation);
  promise(
    inPlace.every((generation, i) => generation > (inPlace[i - 1] ?? 0)),
    () => `a generation took effect twice: ${where()}`,
  );
  const prepared = attempts.flatMap(({ outcome, generation }) =>
    outcome === 'prepared' || outcome === 'proposed' ? (generation ?? []) : [],
  );
  const known = new Set([...inPlace, ...prepared]);
  promise(known.size === t.lastGeneration, () => `generations have holes: ${where()}`);
}

/** A summary that is not in place was made from the thread as it is, and has a number above every one in place. */
function checkPrepared({ row: t, summaries, prepared }: ThreadTable, where: () => string): void {
  promise(
    (prepared?.generation ?? 0) === t.preparedGeneration &&
      (prepared !== null) === (t.preparedState !== null),
    () => `holds a void summary: ${where()}`,
  );
  if (!prepared) return;
  const newest = summaries.at(-1)?.generation ?? 0;
  promise(prepared.generation > newest, () => `a prepared summary is older than one in place: ${where()}`);
  promise(
    prepared.fromSeq === (prepared.newChain ? 1 : t.coveredThrough + 1) && prepared.toSeq < t.nextSeq,
    () => `a prepared summary does not follow the active one: ${where()}`,
  );
}

/**
 * There is nothing to compact: somebody asked and was told so, or the newest unit is in the way and no message has come
 * since, or the policy moved the trigger, which the row learns with the next message.
 */
function isAnsweredInVain({ row, attempts }: ThreadTable, tables: Tables): boolean {
  const last = attempts.at(-1);
  if (last?.outcome !== 'nothing_to_compact') return false;
  const policyMoved = tables.projects.get(row.projectId)!.settingsVersion > 1;
  return last.trigger !== 'automatic' || last.sawNextSeq === row.nextSeq || policyMoved;
}

function checkMessages({ row: t, messages }: ThreadTable, where: () => string): void {
  // Where its parent was rewound, a fork has gaps in the messages from there.
  const before = t.forkSeq ?? 0;
  const inherited = messages.filter(({ seq }) => seq <= before).length;
  promise(messages.length - inherited === t.nextSeq - 1 - before, () => `seqs have holes: ${where()}`);
  const clientIds = new Set<string>();
  messages.forEach(({ seq, clientId, rewoundBefore }, i) => {
    const expected = i < inherited ? seq : before + i - inherited + 1;
    promise(seq === expected, () => `seq ${seq} stands at ${expected}: ${where()}`);
    if (clientId === null || rewoundBefore > 0) return;
    promise(!clientIds.has(clientId), () => `${clientId} was recorded twice: ${where()}`);
    clientIds.add(clientId);
  });
}

/** What was rewound is in no context: neither as the newest message, nor carried, nor an instruction or a summary. */
function checkRewound({ row: t, messages, summaries, instructions }: ThreadTable, where: () => string): void {
  const rewound = new Set(messages.filter((one) => one.rewoundBefore > 0).map(({ seq }) => seq));
  const live = messages.findLast(({ rewoundBefore }) => rewoundBefore === 0);
  promise(headSeqOf(t) === (live?.seq ?? 0), () => `its newest message is ${live?.seq}: ${where()}`);
  const active = summaries.find(({ generation }) => generation === t.generation);
  promise((active?.rewoundBefore ?? 0) === 0, () => `shows a rewound summary: ${where()}`);
  promise(
    !active?.carried.some((seq) => rewound.has(seq)),
    () => `carries a message that was rewound: ${where()}`,
  );
  promise(
    ![...instructions.values()].some(({ seq, source }) => source === 'found' && rewound.has(seq)),
    () => `holds an instruction of a rewound message: ${where()}`,
  );
}

/** In the active chain every message up to the covered one is in exactly one generation. */
function checkChain(chain: readonly SummaryRecord[], { row: t }: ThreadTable, where: () => string): void {
  let covered = 0;
  for (const summary of chain) {
    const { generation, fromSeq, toSeq, carried, tokensBefore, tokensAfter } = summary;
    // The first of a later chain is a rebuilt or restored one, which may be longer than what it replaces. A fork may
    // begin with a copy of such a one, after the caller's own that it was made from.
    const mayGrow = (fromSeq === 1 && summary.chain > 1) || (t.forkSeq !== null && generation <= 2);
    promise(mayGrow || tokensAfter < tokensBefore, () => `a summary saved nothing: ${where()}`);
    promise(
      fromSeq === covered + 1 && toSeq >= fromSeq,
      () => `its chain has a hole at ${fromSeq}: ${where()}`,
    );
    covered = toSeq;
    promise(
      carried.every((seq) => seq <= toSeq),
      () => `carries what it does not cover: ${where()}`,
    );
  }
  promise(covered === t.coveredThrough, () => `its chain ends at ${covered}: ${where()}`);
  promise((chain.at(-1)?.generation ?? 0) === t.generation, () => `its newest is not active: ${where()}`);
}
