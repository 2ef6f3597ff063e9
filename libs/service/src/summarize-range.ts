import {
  contextWindowOf,
  countMessage,
  readMessage,
  renderSummary,
  userMessage,
  type CompactionPlan,
  type SummaryFields,
} from '@spillway/engine';
import { seqMessage, SummarizerError, type SeqMessage, type Summarized } from '@spillway/llm';
import { findSummary, readBodies, type ThreadRow } from '@spillway/store';
import { storedOf } from './entries.js';
import type { Runtime } from './runtime.js';
import type { ThreadSettings } from './settings.js';

export interface RangeSummary extends Summarized {
  /** What the model sees. */
  text: string;
  tokens: number;
}

/** Messages read at a time: memory stays bounded however long the range is. */
const messagesAtOnce = 250;
/** Tokens that titles, tags and the note around the five fields take. */
const frameTokens = 110;

/**
 * Summarizes the planned range. A range too long for one call is folded part by part, each into the notes so far;
 * nothing is skipped. Refuses an answer that is longer than what it stands for.
 */
export async function summarizeRange(
  rt: Runtime,
  row: ThreadRow,
  plan: CompactionPlan,
  settings: ThreadSettings,
  prior: SummaryFields | null,
  signal: AbortSignal,
): Promise<RangeSummary> {
  const { summary } = settings.policy;
  const summarizer = rt.summarizers.get(summary.provider);
  if (!summarizer) throw new SummarizerError('auth', `The provider ${summary.provider} is not configured.`);
  const maxTokens = Math.max(32, plan.summaryTokens - frameTokens);
  let notes = prior;
  let made: Summarized | undefined;
  for await (const messages of parts(rt, row, plan, settings)) {
    made = await summarizer.summarize({
      prior: notes,
      messages,
      maxTokens,
      model: summary.model,
      prompt: summary.prompt,
      timeoutMs: summary.timeout_ms,
      count: settings.count,
      signal,
    });
    notes = made.fields;
  }
  if (!made) throw new SummarizerError('invalid_answer', 'There was nothing to summarize.');
  const text = renderSummary(made.fields, plan.toSeq);
  const tokens = countMessage(userMessage(text), settings.counter);
  const replaced = plan.tokensBefore - plan.tokensKept;
  if (tokens >= replaced || tokens > plan.summaryTokens * 1.5) {
    throw new SummarizerError(
      'invalid_answer',
      `The summary takes ${tokens} tokens; at most ${plan.summaryTokens} were asked for, in place of ${replaced}.`,
    );
  }
  return { ...made, text, tokens };
}

/** The range in parts that fit the summary model's window, in seq order. */
async function* parts(
  rt: Runtime,
  row: ThreadRow,
  plan: CompactionPlan,
  settings: ThreadSettings,
): AsyncGenerator<SeqMessage[]> {
  const { summary } = settings.policy;
  const room =
    summary.provider === 'extractive'
      ? Infinity
      : Math.floor(contextWindowOf(summary.model ?? rt.summaryModel).tokens / 2);
  let part: SeqMessage[] = [];
  let tokens = 0;
  for (let i = 0; i < plan.summarize.length; i += messagesAtOnce) {
    const seqs = plan.summarize.slice(i, i + messagesAtOnce);
    for (const read of await readBodies(rt.store.query, row.projectId, row.uid, seqs)) {
      const message = seqMessage(read.seq, readMessage(storedOf(read)));
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

/** The fields that the next summary must fold in. */
export async function priorFields(rt: Runtime, row: ThreadRow): Promise<SummaryFields | null> {
  if (row.generation === 0) return null;
  const of = { projectId: row.projectId, threadUid: row.uid };
  const found = await findSummary(rt.store, of, row.generation);
  return found ? (JSON.parse(found.fields) as SummaryFields) : null;
}
