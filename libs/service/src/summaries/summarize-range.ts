import {
  contextWindowOf,
  keepFacts,
  Ledger,
  roomForFacts,
  scoreOf,
  type CompactionPlan,
  type LedgerEntry,
  type SeqMessage,
  type SummaryFields,
} from '@spillway/engine';
import {
  approachOf,
  SummarizerError,
  withShortWaits,
  type Summarized,
  type SummarizeInput,
} from '@spillway/llm';
import { findSummary, readBodies, type ThreadRow } from '@spillway/store';
import { agentConversation, type SeenConversation } from './agent-conversation.js';
import {
  completeSummary,
  draftSummary,
  isBelowMinimum,
  isTooLong,
  replacedTokens,
  type RangeSummary,
  type SummaryFrame,
} from './draft-summary.js';
import { cutMessage } from './cut-message.js';
import { besideOf } from '../fidelity/fidelity.js';
import { seqMessageOf } from '../messages/entries.js';
import { shownOrEnded } from '../instructions/instruction-slot.js';
import type { RangeToSummarize } from './range-to-summarize.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { verifyClaims } from './verify-claims.js';

/** Messages per read, which bounds memory. */
export const messagesAtOnce = 250;
/** Reserve for titles, tags and the note around the fields. */
const frameTokens = 104;

/** Tokens that the fields of a summary may take, when it may take these many in all. */
export const fieldTokens = (summaryTokens: number): number => Math.max(32, summaryTokens - frameTokens);

/**
 * Summarizes the planned range. A range too long for one call is folded part by part, each into the notes so far;
 * nothing is skipped. Facts that a model left out are added by code. A summary that keeps less than the policy's
 * `min_fidelity` is made once more, with at most one call, and then completed. Refuses an answer that is longer than
 * what it replaces.
 */
export async function summarizeRange(rt: Runtime, asked: RangeToSummarize): Promise<RangeSummary> {
  const prior = asked.prior && (await verifyClaims(rt, asked.row, asked.prior, asked.plan.toSeq));
  const range = { ...asked, prior };
  const { row, plan, settings, instructions } = range;
  const maxTokens = fieldTokens(plan.summaryTokens);
  const conversation = await agentConversation(rt, range);
  const { made, facts, again } = conversation
    ? await summarizeConversation(rt, range, conversation, maxTokens)
    : await foldParts(rt, range, maxTokens);
  const beside = await besideOf(rt, row, plan);
  const frame = { plan, settings, instructions, maxTokens, beside, facts };
  let summary = draftSummary(made, frame);
  refuseTooLong(summary, plan);
  if (isBelowMinimum(summary, frame))
    rt.metrics.add('spillway_summaries_below_minimum_total', { method: made.method });
  if (isBelowMinimum(summary, frame) && made.method === 'llm') {
    const second = await remake(rt, range, { summary, again, frame });
    if (second && scoreOf(second.fidelity) > scoreOf(summary.fidelity)) summary = second;
  }
  return isBelowMinimum(summary, frame) ? completeSummary(summary, frame) : summary;
}

function refuseTooLong({ tokens }: RangeSummary, plan: CompactionPlan): void {
  if (!isTooLong(tokens, plan, plan.summaryTokens)) return;
  throw new SummarizerError(
    'invalid_answer',
    `The summary takes ${tokens} tokens; at most ${plan.summaryTokens} were asked for, in place of ${replacedTokens(plan)}.`,
  );
}

/** An answer, and what its model saw. */
type Made = Summarized & Pick<RangeSummary, 'seenSeq'>;

/** Asks for the last answer once more. */
type Again = (lost: readonly string[]) => Promise<Made>;

interface FirstDraft {
  summary: RangeSummary;
  again: Again;
  frame: SummaryFrame;
}

/** Facts that a model is told it lost. */
const maxTold = 40;

/** One more call that names the lost facts. Without a usable answer, or any fact to name, the first summary stays. */
async function remake(
  rt: Runtime,
  { row, plan }: RangeToSummarize,
  { summary, again, frame }: FirstDraft,
): Promise<RangeSummary | undefined> {
  const lost = summary.fidelity.lost.facts
    .slice(0, maxTold)
    .map(({ value, label, seq }) => `${label && `${label}: `}${value} [${seq}]`);
  if (lost.length === 0) return undefined;
  try {
    const second = draftSummary(await again(lost), frame);
    refuseTooLong(second, plan);
    return second;
  } catch (error) {
    if (!(error instanceof SummarizerError) || error.failure === 'aborted') throw error;
    rt.log.warn(
      { thread: row.uid, failure: error.failure },
      'a summary below min_fidelity could not be made once more: code completes it',
    );
    return undefined;
  }
}

/** The first answer for a range. */
interface FirstAnswer {
  made: Made;
  /** Facts of the range that somebody used. */
  facts: LedgerEntry[];
  again: Again;
}

/** One call that continues the agent's context. Facts are still read from the range itself. */
async function summarizeConversation(
  rt: Runtime,
  range: RangeToSummarize,
  conversation: SeenConversation,
  maxTokens: number,
): Promise<FirstAnswer> {
  const ask = async (lost: readonly string[]) => {
    const made = await summarize(rt, range, { prior: null, messages: [], maxTokens, conversation, lost });
    const { fields, facts } = await withFactsOfRange(rt, range, made, maxTokens);
    return { made: { ...made, fields, seenSeq: conversation.seenSeq }, facts };
  };
  return { ...(await ask([])), again: async (lost) => (await ask(lost)).made };
}

/** One call for each part of the range, each with the notes of those before it. */
async function foldParts(rt: Runtime, range: RangeToSummarize, maxTokens: number): Promise<FirstAnswer> {
  const { plan, settings } = range;
  const isByCode = settings.policy.summary.provider === 'extractive';
  const instructions = isByCode ? shownOrEnded(range.instructions.all, plan, settings) : [];
  const ledger = new Ledger();
  let last: { made: Made; again: Again } | undefined;
  const room = partTokens(rt, settings, range.row.attempt);
  for await (const messages of parts(rt, range, room)) {
    const prior = last ? last.made.fields : range.prior;
    const shown = messages.map((message) => fitted(message, room, settings));
    const again: Again = async (lost) => {
      const input = { prior, messages: shown, instructions, maxTokens, conversation: null, lost };
      const answer = await summarize(rt, range, input);
      const fields = withFacts(range, answer, { prior, messages, maxTokens });
      return { ...answer, fields: await verifyClaims(rt, range.row, fields, range.plan.toSeq), seenSeq: 0 };
    };
    ledger.add(messages);
    // The parts before this one are paid for, and another attempt would begin with the first.
    const made = last ? await withShortWaits(() => again([]), range.signal) : await again([]);
    last = { made, again };
  }
  if (!last) throw new SummarizerError('invalid_answer', 'There was nothing to summarize.');
  return { ...last, facts: ledger.used() };
}

/** The fields of a summary with the facts of its whole range, all of its claims checked. `facts`: those somebody used. */
export async function withFactsOfRange(
  rt: Runtime,
  range: RangeOfFacts,
  made: Pick<RangeSummary, 'method' | 'fields'>,
  maxTokens: number,
): Promise<{ fields: SummaryFields; facts: LedgerEntry[] }> {
  const { prior } = range;
  const ledger = new Ledger();
  let { fields } = made;
  for await (const messages of parts(rt, range, Infinity)) {
    fields = withFacts(range, { ...made, fields }, { prior, messages, maxTokens });
    ledger.add(messages);
  }
  return {
    fields: await verifyClaims(rt, range.row, fields, range.plan.toSeq),
    facts: ledger.used(),
  };
}

/** What facts are read from. */
export type RangeOfFacts = Pick<RangeToSummarize, 'row' | 'settings' | 'prior'> & {
  plan: Pick<CompactionPlan, 'summarize' | 'toSeq'>;
};

/** The facts of a planned range that somebody used. */
export async function factsOfRange(
  rt: Runtime,
  range: Pick<RangeOfFacts, 'row' | 'plan' | 'settings'>,
): Promise<LedgerEntry[]> {
  const ledger = new Ledger();
  for await (const messages of parts(rt, range, Infinity)) ledger.add(messages);
  return ledger.used();
}

type PartInput = Pick<
  SummarizeInput,
  'prior' | 'messages' | 'instructions' | 'maxTokens' | 'conversation' | 'lost'
>;

function summarize(
  rt: Runtime,
  { row, settings, spending, signal }: RangeToSummarize,
  part: PartInput,
): Promise<Summarized> {
  const { summary } = settings.policy;
  const summarizer = rt.summarizers.get(summary.provider);
  if (!summarizer) throw new SummarizerError('auth', `The provider ${summary.provider} is not configured.`);
  return summarizer.summarize({
    ...part,
    projectId: row.projectId,
    model: summary.model,
    prompt: summary.prompt,
    schema: summary.schema,
    attempt: row.attempt,
    timeoutMs: summary.timeout_ms,
    count: settings.count,
    spent: (model, usage) => spending.add(model, usage, summary.prompt),
    signal,
  });
}

/** The extractive summarizer quotes facts itself; a model's summary gets the missing ones. */
function withFacts(
  { settings: { count } }: RangeOfFacts,
  { method, fields }: Pick<RangeSummary, 'method' | 'fields'>,
  { prior, messages, maxTokens }: Pick<PartInput, 'prior' | 'messages' | 'maxTokens'>,
): SummaryFields {
  if (method === 'extractive') return fields;
  const room = roomForFacts(maxTokens, fields, count);
  return keepFacts(fields, { prior, messages, room, count });
}

/** Tokens of messages in one call: half of the summary model's window, less on each retry. */
export function partTokens(rt: Runtime, settings: ThreadSettings, attempt: number): number {
  const { summary } = settings.policy;
  if (summary.provider === 'extractive') return Infinity;
  const window = contextWindowOf(summary.model ?? rt.summaryModel).tokens;
  return Math.floor((window / 2) * approachOf(attempt).partShare);
}

/** The message as a model is shown it: one that is larger than a part is cut. */
const fitted = (message: SeqMessage, room: number, settings: ThreadSettings): SeqMessage =>
  room === Infinity || sizeOf(message, settings) <= room
    ? message
    : cutMessage(message, room, settings.count);

/** The range in parts of at most `room` tokens, in seq order. A larger message is a part of its own. */
async function* parts(
  rt: Runtime,
  { row, plan, settings }: Pick<RangeOfFacts, 'row' | 'plan' | 'settings'>,
  room: number,
): AsyncGenerator<SeqMessage[]> {
  let part: SeqMessage[] = [];
  let tokens = 0;
  for (let i = 0; i < plan.summarize.length; i += messagesAtOnce) {
    const seqs = plan.summarize.slice(i, i + messagesAtOnce);
    for (const read of await readBodies(rt.store.query, row.projectId, row.uid, seqs)) {
      const message = seqMessageOf(read);
      // Where everything has room, nobody needs its size.
      const size = room === Infinity ? 0 : sizeOf(message, settings);
      if (part.length > 0 && (tokens + size > room || part.length >= messagesAtOnce)) {
        yield part;
        part = [];
        tokens = 0;
      }
      part.push(message);
      tokens += size;
    }
  }
  if (part.length > 0) yield part;
}

const sizeOf = ({ text, calls }: SeqMessage, { count }: ThreadSettings): number =>
  count(text) + calls.reduce((tokens, call) => tokens + count(call.input), 0);

/** The fields that the next summary folds in. */
export async function priorFields(rt: Runtime, row: ThreadRow): Promise<SummaryFields | null> {
  if (row.generation === 0) return null;
  const of = { projectId: row.projectId, threadUid: row.uid };
  const found = await findSummary(rt.store, of, row.generation);
  return found ? (JSON.parse(found.fields) as SummaryFields) : null;
}
