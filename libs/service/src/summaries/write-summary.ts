import {
  cutProblem,
  slotsUsed,
  SpillwayError,
  summaryFieldNames,
  type CompactionPlan,
  type CutProblem,
  type FieldError,
  type SummaryFields,
} from '@spillway/engine';
import { actorNames, findSummary, type SummaryRow, type ThreadRow } from '@spillway/store';
import { refuseRewoundTarget } from '../messages/rewind-target.js';
import { planThread, type ThreadPlan } from '../compaction/plan-thread.js';
import { putInPlace } from '../compaction/put-in-place.js';
import { getThread } from '../threads/get-thread.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';
import { getSummaryInPlace } from './list-summaries.js';
import type { Runtime } from '../runtime.js';
import { draftSummary, type RangeSummary } from './draft-summary.js';
import { besideOf } from '../fidelity/fidelity.js';
import { fieldTokens, priorFields, withFactsOfRange } from './summarize-range.js';
import { verifyClaims } from './verify-claims.js';
import { untilUnchanged } from '../threads/until-unchanged.js';

/** A summary that a caller wrote. */
export interface WrittenSummary {
  projectId: string;
  threadId: string;
  fields: SummaryFields;
  /** It stands for messages 1 to this one. */
  toSeq: number;
  /** The generation that it replaces, 0 for none; undefined to replace any. */
  expectedGeneration?: number;
  /** The key of the caller. */
  keyId: string;
}

/** Of no attempt: a caller holds no lease, and a commit that comes too late releases nobody's. */
const noEpoch = -1;

/**
 * Makes a caller's own summary the active one, in a new chain. It is checked as any other: its cut, its claims, its
 * slots, and what it saves. The standing instructions of now stand at its head, and facts that it leaves out are added.
 * A compaction in progress gives way: its commit fails, and it spends no more. Posting the active one again changes
 * nothing. Throws `thread_not_found`, `generation_changed`, `message_rewound`, `invalid_request` with the field,
 * `thread_busy`.
 */
export async function writeSummary(
  rt: Runtime,
  asked: WrittenSummary,
): Promise<{ thread: ThreadRow; summary: SummaryRow; created: boolean }> {
  const { projectId, threadId } = asked;
  const actor = `key:${asked.keyId}`;
  const names = await actorNames(rt.store, projectId, [actor]);
  const author = names.get(actor) ?? actor;
  return untilUnchanged(async () => {
    const row = await weighedThread(rt, projectId, threadId);
    if (await isActive(rt, row, asked))
      return { ...(await getSummaryInPlace(rt, projectId, threadId, row.generation)), created: false };
    refuseOther(row, asked);
    // It may say what was taken back.
    if (asked.toSeq < row.nextSeq) await refuseRewoundTarget(rt, row, asked.toSeq, 'to_seq');
    // A request that is pending stays pending.
    const claimed = { ...row, leaseEpoch: noEpoch, request: null };
    const planned = await planThread(rt, row, { rebuild: true, cut: { toSeq: asked.toSeq } });
    const plan = refuseCut(row, planned, asked.toSeq);
    const summary = await checkedSummary(rt, row, { ...planned, plan }, asked.fields);
    const { settings, instructions } = planned;
    const made = { plan, settings, summary, instructions, newChain: true, author };
    const { kind, facts } = await putInPlace(rt, claimed, made);
    if (kind !== 'done') return undefined;
    const found = await getSummaryInPlace(rt, projectId, threadId, Number(facts!.generation));
    return { ...found, created: true };
  });
}

async function weighedThread(rt: Runtime, projectId: string, threadId: string): Promise<ThreadRow> {
  const row = await getThread(rt, projectId, threadId);
  if (isWeighed(row)) return row;
  await weighThread(rt, projectId, threadId);
  return getThread(rt, projectId, threadId);
}

/** Whether the active summary is this one: a retry finds what its first try did. */
async function isActive(rt: Runtime, row: ThreadRow, { fields, toSeq }: WrittenSummary): Promise<boolean> {
  if (row.generation === 0 || row.coveredThrough !== toSeq) return false;
  const of = { projectId: row.projectId, threadUid: row.uid };
  const active = await findSummary(rt.store, of, row.generation);
  if (active?.method !== 'caller') return false;
  const has = JSON.parse(active.fields) as SummaryFields;
  // Code may have added lines to what is preserved.
  return Object.entries(fields).every(([name, text]) =>
    name === 'context_to_preserve' ? has[name]?.startsWith(text.trim()) : has[name] === text,
  );
}

function refuseOther({ generation }: ThreadRow, { expectedGeneration }: WrittenSummary): void {
  if (expectedGeneration === undefined || expectedGeneration === generation) return;
  const active = generation === 0 ? 'no summary' : `generation ${generation}`;
  throw new SpillwayError(
    'generation_changed',
    `You expect generation ${expectedGeneration}; ${active} is active now. Read it, and write the summary anew.`,
  );
}

const refuse = (path: string, message: string): SpillwayError =>
  new SpillwayError('invalid_request', `The summary is refused: ${path} ${message}`, [{ path, message }]);

function refuseCut(
  { leadingThrough }: ThreadRow,
  { plan, entries, settings }: ThreadPlan,
  toSeq: number,
): CompactionPlan {
  const problem = cutProblem(
    entries.filter(({ seq }) => seq > leadingThrough),
    toSeq,
    { policy: settings.policy.context, budget: settings.budget },
  );
  if (problem) throw refuse('/to_seq', cutWords(problem));
  if (plan.kind === 'nothing') throw refuse('/to_seq', 'covers nothing that a summary could shorten.');
  return plan;
}

function cutWords(problem: CutProblem): string {
  if (problem.kind === 'not_there')
    return `must be a message of the thread; its newest is ${problem.lastSeq}.`;
  const { fromSeq } = problem;
  if (problem.kind === 'protected')
    return fromSeq === 1
      ? 'covers messages that stay verbatim: all of the thread do.'
      : `covers messages that stay verbatim: those from ${fromSeq} on. At most ${fromSeq - 1}.`;
  return `lies between a call and its result: messages ${fromSeq} to ${problem.toSeq} belong together. Use ${fromSeq - 1} or ${problem.toSeq}.`;
}

async function checkedSummary(
  rt: Runtime,
  row: ThreadRow,
  { plan, settings, instructions }: ThreadPlan & { plan: CompactionPlan },
  written: SummaryFields,
): Promise<RangeSummary> {
  refuseFields(written, settings.policy.summary.schema);
  await refuseForgeries(rt, row, written, plan.toSeq);
  const maxTokens = fieldTokens(plan.summaryTokens);
  const { narrative } = slotsUsed(written, settings.count);
  if (narrative > maxTokens)
    throw refuse('/fields', `take ${narrative} tokens; a summary of these messages may take ${maxTokens}.`);
  // Facts of an older summary of the same messages are known already.
  const isLonger = row.generation > 0 && row.coveredThrough <= plan.toSeq;
  const known = isLonger ? await priorFields(rt, row) : null;
  const prior = known && (await verifyClaims(rt, row, known, plan.toSeq));
  const summarize = plan.summarize.filter((seq) => prior === null || seq > row.coveredThrough);
  const range = { row, plan: { ...plan, summarize }, settings, prior };
  const made = { fields: written, method: 'caller', model: null, seenSeq: 0 } as const;
  const { fields, facts } = await withFactsOfRange(rt, range, made, maxTokens);
  const beside = await besideOf(rt, row, plan);
  const frame = { plan, settings, instructions, maxTokens, beside, facts };
  const summary = draftSummary({ ...made, fields }, frame);
  const after = plan.tokensKept + summary.tokens;
  if (after > row.liveTokens)
    throw refuse(
      '/fields',
      `would make the context bigger: it takes ${row.liveTokens} tokens now and would take ${after}.`,
    );
  return summary;
}

/** The five fields, or those of the policy's own schema. */
function refuseFields(fields: SummaryFields, schema: Record<string, unknown> | null): void {
  const known: readonly string[] = schema ? Object.keys(schema.properties ?? {}) : summaryFieldNames;
  const required: readonly string[] = schema ? ((schema.required ?? []) as string[]) : summaryFieldNames;
  const errors: FieldError[] = [
    ...Object.keys(fields)
      .filter((name) => !known.includes(name))
      .map((name) => ({
        path: `/fields/${name}`,
        message: `is not a field of a summary: ${known.join(', ')}`,
      })),
    ...required
      .filter((name) => fields[name] === undefined)
      .map((name) => ({ path: `/fields/${name}`, message: 'is required; it may be empty' })),
  ];
  if (errors.length > 0)
    throw new SpillwayError('invalid_request', 'The fields of the summary are wrong: see errors.', errors);
  if (Object.values(fields).every((text) => text.trim() === '')) throw refuse('/fields', 'say nothing.');
}

/** Lines of our form that no message bears out. A caller is told; those of a model are left out. */
async function refuseForgeries(
  rt: Runtime,
  row: ThreadRow,
  fields: SummaryFields,
  toSeq: number,
): Promise<void> {
  const verified = await verifyClaims(rt, row, fields, toSeq);
  const errors = Object.entries(fields).flatMap(([name, text]) => {
    const borneOut = new Set(verified[name]!.split('\n'));
    return text
      .split('\n')
      .filter((line) => !borneOut.has(line))
      .map((line) => ({
        path: `/fields/${name}`,
        message: `quotes or names what the messages up to ${toSeq} do not hold: ${line.trim().slice(0, 200)}`,
      }));
  });
  if (errors.length > 0)
    throw new SpillwayError(
      'invalid_request',
      'The summary claims what the thread does not hold: see errors.',
      errors.slice(0, 20),
    );
}
