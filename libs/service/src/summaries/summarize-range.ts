import {
  contextWindowOf,
  countMessage,
  readerToolNames,
  readMessage,
  renderSummary,
  userMessage,
  type CompactionPlan,
  type SummaryFields,
  keepFacts,
  slotsUsed,
  seqMessage,
  type InstructionSlot,
  type SeqMessage,
} from '@spillway/engine';
import {
  approachOf,
  SummarizerError,
  type Conversation,
  type Summarized,
  type SummarizeInput,
} from '@spillway/llm';
import { findSummary, readBodies, type SummaryMaker, type ThreadRow } from '@spillway/store';
import { instructionSlot } from '../instructions/instruction-slot.js';
import { agentConversation } from './agent-conversation.js';
import { storedOf } from '../messages/entries.js';
import type { RangeToSummarize } from './range-to-summarize.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { verifyClaims } from './verify-claims.js';

export interface RangeSummary extends Omit<Summarized, 'method'> {
  method: SummaryMaker;
  /** What the model sees. */
  text: string;
  tokens: number;
  /** The standing instructions at its head. */
  slot: InstructionSlot;
}

/** Messages per read, which bounds memory. */
export const messagesAtOnce = 250;
/** Reserve for titles, tags and the note around the fields. */
export const frameTokens = 104;

/** Tokens that the fields of a summary may take, when it may take these many in all. */
export const fieldTokens = (summaryTokens: number): number => Math.max(32, summaryTokens - frameTokens);

/**
 * Summarizes the planned range. A range too long for one call is folded part by part, each into the notes so far;
 * nothing is skipped. Facts that a model left out are added by code. Refuses an answer that is longer than what it
 * replaces.
 */
export async function summarizeRange(rt: Runtime, asked: RangeToSummarize): Promise<RangeSummary> {
  const prior = asked.prior && (await verifyClaims(rt, asked.row, asked.prior));
  const range = { ...asked, prior };
  const { plan } = range;
  const maxTokens = fieldTokens(plan.summaryTokens);
  const conversation = await agentConversation(rt, range);
  const made = conversation
    ? await summarizeConversation(rt, range, maxTokens, conversation)
    : await foldParts(rt, range, maxTokens);
  const { text, tokens, slot } = renderRange(made.fields, range);
  const replaced = plan.tokensBefore - plan.tokensKept - plan.separatorTokens;
  if (tokens >= replaced || tokens > plan.summaryTokens * 1.5 + plan.instructionTokens) {
    throw new SummarizerError(
      'invalid_answer',
      `The summary takes ${tokens} tokens; at most ${plan.summaryTokens} were asked for, in place of ${replaced}.`,
    );
  }
  return { ...made, text, tokens, slot };
}

/** One call that continues the agent's context. Facts are still read from the range itself. */
async function summarizeConversation(
  rt: Runtime,
  range: RangeToSummarize,
  maxTokens: number,
  conversation: Conversation,
): Promise<Summarized> {
  const made = await summarize(rt, range, { prior: null, messages: [], maxTokens, conversation });
  return { ...made, fields: await withFactsOfRange(rt, range, made, maxTokens) };
}

/** The fields of a summary with the facts of its whole range, all of its claims checked. */
export async function withFactsOfRange(
  rt: Runtime,
  range: RangeOfFacts,
  made: Pick<RangeSummary, 'method' | 'fields'>,
  maxTokens: number,
): Promise<SummaryFields> {
  const { prior } = range;
  let { fields } = made;
  for await (const messages of parts(rt, range, Infinity)) {
    fields = withFacts(range, { ...made, fields }, { prior, messages, maxTokens });
  }
  return verifyClaims(rt, range.row, fields);
}

/** What facts are read from. */
export type RangeOfFacts = Pick<RangeToSummarize, 'row' | 'settings' | 'prior'> & {
  plan: Pick<CompactionPlan, 'summarize'>;
};

/** A summary as a context shows it, with the standing instructions at its head. */
export function renderRange(
  fields: SummaryFields,
  { plan, settings, instructions }: Pick<RangeToSummarize, 'plan' | 'settings' | 'instructions'>,
): Pick<RangeSummary, 'text' | 'tokens' | 'slot'> {
  const { template } = settings.policy.summary;
  const slot = instructionSlot(instructions.all, plan, settings);
  const { search_history: searchTool } = readerToolNames(settings.policy.outputs.tool_names);
  const text = renderSummary(fields, {
    toSeq: plan.toSeq,
    template,
    instructions: slot.text,
    searchTool,
  });
  return { text, tokens: countMessage(userMessage(text), settings.counter), slot };
}

async function foldParts(rt: Runtime, range: RangeToSummarize, maxTokens: number): Promise<Summarized> {
  let prior = range.prior;
  let made: Summarized | undefined;
  for await (const messages of parts(rt, range, partTokens(rt, range.settings, range.row.attempt))) {
    const answer = await summarize(rt, range, { prior, messages, maxTokens, conversation: null });
    const fields = withFacts(range, answer, { prior, messages, maxTokens });
    made = { ...answer, fields: await verifyClaims(rt, range.row, fields) };
    prior = made.fields;
  }
  if (!made) throw new SummarizerError('invalid_answer', 'There was nothing to summarize.');
  return made;
}

type PartInput = Pick<SummarizeInput, 'prior' | 'messages' | 'maxTokens' | 'conversation'>;

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
  // What the model left of its slot is the facts'.
  const { narrative } = slotsUsed(fields, count);
  const room = Math.max(0, maxTokens - narrative);
  return keepFacts(fields, { prior, messages, room, count });
}

/** Tokens of messages in one call: half of the summary model's window, less on each retry. */
export function partTokens(rt: Runtime, settings: ThreadSettings, attempt: number): number {
  const { summary } = settings.policy;
  if (summary.provider === 'extractive') return Infinity;
  const window = contextWindowOf(summary.model ?? rt.summaryModel).tokens;
  return Math.floor((window / 2) * approachOf(attempt).partShare);
}

/** The range in parts of at most `room` tokens, in seq order. A larger message is a part of its own. */
async function* parts(
  rt: Runtime,
  { row, plan, settings }: RangeOfFacts,
  room: number,
): AsyncGenerator<SeqMessage[]> {
  let part: SeqMessage[] = [];
  let tokens = 0;
  for (let i = 0; i < plan.summarize.length; i += messagesAtOnce) {
    const seqs = plan.summarize.slice(i, i + messagesAtOnce);
    for (const read of await readBodies(rt.store.query, row.projectId, row.uid, seqs)) {
      const message = seqMessage(read.seq, readMessage(storedOf(read)), read.createdAt);
      const size =
        settings.count(message.text) + message.calls.reduce((n, call) => n + settings.count(call.input), 0);
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

/** The fields that the next summary folds in. */
export async function priorFields(rt: Runtime, row: ThreadRow): Promise<SummaryFields | null> {
  if (row.generation === 0) return null;
  const of = { projectId: row.projectId, threadUid: row.uid };
  const found = await findSummary(rt.store, of, row.generation);
  return found ? (JSON.parse(found.fields) as SummaryFields) : null;
}
