import type { Context } from '../context/context.js';
import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { FormatName } from '../messages/format-name.js';
import { formats } from '../formats/formats.js';
import { resultsOf, type Body } from '../messages/message.js';
import { countReasoning, withoutId, withoutReasoning, type ReasoningKind } from './strip-reasoning.js';

/** How to treat reasoning that a provider signed or sealed. */
export type ReasoningMode = 'auto' | 'keep' | 'strip';

/** Why reasoning was left out. */
export type StripReason =
  /** `reasoning=strip`. */
  | 'asked'
  /** Another model made it than the one of this context. */
  | 'other_model'
  /** The prefix differs from what its model saw, so its signature is invalid. */
  | 'prefix_changed'
  /** The same within the running tool loop: some models require their reasoning there. */
  | 'prefix_changed_in_tool_loop';

export interface ReasoningReport {
  /** Signed or sealed blocks that are shown. */
  kept: number;
  stripped: number;
  why: StripReason[];
}

/** A served context and its model. */
export interface ServedPrefix {
  /** The newest message it included. */
  seq: number;
  digest: string;
  model: string | null;
}

/** A running hash, so that the digests of all prefixes of a context cost one pass. */
export interface PrefixHash {
  add(message: Body): void;
  digest(): string;
}

export interface ReasoningInput {
  mode: ReasoningMode;
  format: FormatName;
  /** The model of the context; null when unknown. */
  model: string | null;
  /** Contexts that were served in this format. */
  served: readonly ServedPrefix[];
  /** Messages up to this seq were posted before the shown summary existed; 0 without a summary. */
  foldedThrough: number;
  /** The thread's model when a message was posted; null when unknown. */
  madeBy: (seq: number) => string | null;
  /** Initialized with what is sent before the messages: system prompt and tools. */
  hash: PrefixHash;
  counter: MessageCounter;
}

export interface Reasoned {
  context: Context;
  report: ReasoningReport;
  /** Digest of everything sent, in order. */
  digest: string;
  /** The first message of the running tool loop that lost its reasoning to a changed prefix. */
  brokenLoop: number | null;
}

/**
 * Leaves out the reasoning that a provider would refuse. A signature holds only for the prefix that its model saw. What
 * a model saw is known: it is a context that was served since the model's last turn. So reasoning is shown when one of
 * those contexts is, byte for byte, what stands before it now, and was for the same model. Each decision is made on the
 * prefix that the decisions before it leave, so the same messages always get the same decisions, and a context that
 * only grows keeps them. Where nothing was served, for example in a thread that was imported, reasoning is taken to
 * hold unless it was posted before the summary that is shown.
 */
export function applyReasoning(context: Context, input: ReasoningInput): Reasoned {
  const { mode, format, hash } = input;
  const kind: ReasoningKind = mode === 'strip' ? 'all' : 'signed';
  const loop = mode === 'auto' ? startOfToolLoop(context.messages, format) : Infinity;
  const report: ReasoningReport = { kept: 0, stripped: 0, why: [] };
  const messages: Body[] = [];
  const parts: Context['parts'] = [];
  let brokenLoop: number | null = null;
  const blocksOf = context.messages.map((body) => countReasoning(body, format, kind));
  // A digest costs as much as several messages, and most contexts have no reasoning that depends on one.
  const needsDigests = blocksOf.some((blocks) => blocks > 0);
  const run = { isOpen: false, digest: null as string | null, stripped: false, previousSeq: 0, seq: 0 };

  context.messages.forEach((posted, i) => {
    const part = context.parts[i]!;
    let body: Body | null = posted;
    if (!isModels(posted, format)) {
      if (run.isOpen) run.previousSeq = run.seq;
      run.isOpen = false;
      run.stripped = false;
    } else {
      if (!run.isOpen && needsDigests) run.digest = hash.digest();
      run.isOpen = true;
      run.seq = part.seq ?? run.seq;
      const blocks = blocksOf[i]!;
      const reason = blocks === 0 ? null : reasonToStrip(part.seq, run, input);
      if (reason !== null) {
        run.stripped = true;
        body = withoutReasoning(posted, format, kind);
        report.stripped += blocks;
        const why = reason === 'prefix_changed' && i > loop ? 'prefix_changed_in_tool_loop' : reason;
        if (why === 'prefix_changed_in_tool_loop') brokenLoop ??= part.seq;
        if (!report.why.includes(why)) report.why.push(why);
      } else {
        report.kept += blocks;
        if (run.stripped && format === 'responses') body = withoutId(posted);
      }
    }
    if (body === null) return;
    hash.add(body);
    messages.push(body);
    parts.push(
      body === posted ? part : { ...part, tokens: countMessage(formats[format].read(body), input.counter) },
    );
  });
  const changed =
    report.stripped === 0 ? context : { ...context, messages, parts, tokens: sums(context, parts) };
  return { context: changed, report, digest: hash.digest(), brokenLoop };
}

function reasonToStrip(
  seq: number | null,
  run: { digest: string | null; previousSeq: number },
  { mode, model, served, foldedThrough, madeBy, hash }: ReasoningInput,
): StripReason | null {
  if (mode === 'keep' || seq === null) return null;
  if (mode === 'strip') return 'asked';
  const isOther = (maker: string | null) => maker !== null && model !== null && maker !== model;
  // Contexts served since the model's last turn: the message answers one of them.
  const answered = served.filter((one) => one.seq < seq && one.seq >= run.previousSeq);
  const digests = [run.digest, hash.digest()];
  const matching = answered.filter((one) => digests.includes(one.digest));
  if (matching.length > 0) return matching.every((one) => isOther(one.model)) ? 'other_model' : null;
  if (answered.length > 0)
    return answered.every((one) => isOther(one.model)) ? 'other_model' : 'prefix_changed';
  if (isOther(madeBy(seq))) return 'other_model';
  return seq <= foldedThrough ? 'prefix_changed' : null;
}

/** Whether the model wrote it. It wrote items of the Responses API that are neither messages nor results. */
function isModels(body: Body, format: FormatName): boolean {
  if (format !== 'responses' || typeof body.role === 'string') return body.role === 'assistant';
  return !String(body.type).endsWith('_output');
}

/** The last message before the running tool loop; Infinity when the context does not end in one. */
function startOfToolLoop(messages: readonly Body[], format: FormatName): number {
  const last = messages.at(-1);
  const bringsResults = (body: Body) => resultsOf(formats[format].read(body)).length > 0;
  if (!last || !bringsResults(last)) return Infinity;
  return messages.findLastIndex((body) => body.role === 'user' && !bringsResults(body));
}

function sums({ tokens }: Context, parts: Context['parts']): Context['tokens'] {
  const of = (kinds: readonly string[]) =>
    parts.reduce((sum, part) => (kinds.includes(part.kind) ? sum + part.tokens : sum), 0);
  const recent = of(['carried', 'recent', 'note']);
  return { ...tokens, recent, total: tokens.system + tokens.summary + recent };
}
