import type { Context } from '../context/context.js';
import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { FormatName } from '../messages/format-name.js';
import { formats } from '../formats/formats.js';
import { isResultItem } from '../formats/responses/read.js';
import { ItemsWithoutReasoning, type SentItem } from '../formats/responses/without-reasoning.js';
import { resultsOf, type Body } from '../messages/message.js';
import {
  countReasoning,
  withoutItemIds,
  withoutReasoning,
  type ReasoningKind,
} from '../formats/reasoning.js';

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
  const { mode, format, counter, hash } = input;
  const kind: ReasoningKind = mode === 'strip' ? 'all' : 'signed';
  const blocks = context.messages.map((body) => countReasoning(body, format, kind));
  const lostBefore = context.lostReasoning.filter((one) => one.blocks[kind] > 0);
  const loopStart = mode === 'strip' ? Infinity : startOfToolLoop(context.messages, format);
  // A digest costs as much as several messages, and most contexts have no reasoning that depends on one.
  const turn = new ModelTurn(
    hash,
    blocks.some((count) => count > 0),
  );
  const report = new Report();
  // A shortened message is not what its model wrote, and what stands after it has another prefix.
  const reasonOfLoss = mode === 'strip' ? 'asked' : 'prefix_changed';
  const items = new ItemsWithoutReasoning();
  const dropped = [...context.dropped];
  const messages: Body[] = [];
  const parts: Context['parts'] = [];
  context.messages.forEach((posted, i) => {
    const part = context.parts[i]!;
    if (isModels(posted, format)) turn.goOn(part.seq);
    else turn.end();
    const lost = lostBefore.filter(({ seq }) => part.seq !== null && seq <= part.seq);
    lostBefore.splice(0, lost.length);
    for (const one of lost)
      report.strip(one.blocks[kind], { reason: reasonOfLoss, seq: one.seq, isInLoop: i > loopStart });
    turn.hasLostReasoning ||= lost.length > 0 && isModels(posted, format);
    const shown = lost.some(({ seq }) => seq === part.seq) ? withoutItemIds(posted, format) : posted;
    const reason = blocks[i] === 0 ? null : reasonToStrip(part.seq, turn, input);
    if (reason === null) report.keep(blocks[i]!);
    else {
      report.strip(blocks[i]!, { reason, seq: part.seq, isInLoop: i > loopStart });
      turn.hasLostReasoning = true;
    }
    const sent =
      reason === null
        ? shownAfter(shown, turn, format === 'responses' ? items : null)
        : { body: withoutReasoning(shown, format, kind), lost: null };
    const { body } = sent;
    if (sent.lost !== null) dropped.push({ seq: part.seq, what: sent.lost });
    if (body === null) return;
    hash.add(body);
    messages.push(body);
    parts.push(
      body === posted ? part : { ...part, tokens: countMessage(formats[format].read(body), counter) },
    );
  });
  // A format may show the messages of a step as one, under the seq of the first.
  for (const { seq, blocks: lost } of lostBefore)
    report.strip(lost[kind], { reason: reasonOfLoss, seq, isInLoop: loopStart < Infinity });
  const { kept, stripped, why, brokenLoop } = report;
  const changed =
    stripped === 0 ? context : { ...context, messages, parts, dropped, tokens: sums(context, parts) };
  return { context: changed, report: { kept, stripped, why }, digest: hash.digest(), brokenLoop };
}

/** A message whose own reasoning is shown. In OpenAI's Responses format its id refers to the reasoning before it. */
function shownAfter(posted: Body, turn: ModelTurn, items: ItemsWithoutReasoning | null): SentItem {
  if (items === null) return { body: posted, lost: null };
  return turn.hasLostReasoning ? items.afterLost(posted) : items.other(posted);
}

/** The messages that a model wrote in a row, of which the first ones may be reasoning for the others. */
class ModelTurn {
  /** Digest of what stands before the turn; null while no decision needs one. */
  digestBefore: string | null = null;
  /** Reasoning of this turn was left out, so its other items must not refer to it. */
  hasLostReasoning = false;
  /** The last message of the turn before: what was served since then is what this turn may answer. */
  previousSeq = 0;
  private isOpen = false;
  private seq = 0;

  constructor(
    private readonly hash: PrefixHash,
    private readonly needsDigests: boolean,
  ) {}

  goOn(seq: number | null): void {
    if (!this.isOpen && this.needsDigests) this.digestBefore = this.hash.digest();
    this.isOpen = true;
    this.seq = seq ?? this.seq;
  }

  end(): void {
    if (this.isOpen) this.previousSeq = this.seq;
    this.isOpen = false;
    this.hasLostReasoning = false;
  }
}

/** Counts what is shown and what is left out, and why. */
class Report implements ReasoningReport {
  kept = 0;
  stripped = 0;
  readonly why: StripReason[] = [];
  brokenLoop: number | null = null;

  keep(blocks: number): void {
    this.kept += blocks;
  }

  strip(
    blocks: number,
    { reason, seq, isInLoop }: { reason: StripReason; seq: number | null; isInLoop: boolean },
  ): void {
    const breaksLoop = isInLoop && reason === 'prefix_changed';
    const why = breaksLoop ? 'prefix_changed_in_tool_loop' : reason;
    this.stripped += blocks;
    if (breaksLoop) this.brokenLoop ??= seq;
    if (!this.why.includes(why)) this.why.push(why);
  }
}

function reasonToStrip(
  seq: number | null,
  { digestBefore, previousSeq }: ModelTurn,
  { mode, model, served, foldedThrough, madeBy, hash }: ReasoningInput,
): StripReason | null {
  if (mode === 'keep' || seq === null) return null;
  if (mode === 'strip') return 'asked';
  const isOther = (maker: string | null) => maker !== null && model !== null && maker !== model;
  const otherOr = (makers: readonly ServedPrefix[], other: 'prefix_changed' | null): StripReason | null =>
    makers.every((one) => isOther(one.model)) ? 'other_model' : other;
  // Contexts served since the model's last turn: the message answers one of them.
  const answered = served.filter((one) => one.seq < seq && one.seq >= previousSeq);
  // A context may also have been served in the middle of a turn, between items that were posted one by one.
  const digests = [digestBefore, hash.digest()];
  const matching = answered.filter((one) => digests.includes(one.digest));
  if (matching.length > 0) return otherOr(matching, null);
  if (answered.length > 0) return otherOr(answered, 'prefix_changed');
  if (isOther(madeBy(seq))) return 'other_model';
  return seq <= foldedThrough ? 'prefix_changed' : null;
}

/** Whether the model wrote it. It wrote items of the Responses API that are neither messages nor results. */
function isModels(body: Body, format: FormatName): boolean {
  if (format !== 'responses' || typeof body.role === 'string') return body.role === 'assistant';
  return !isResultItem(body);
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
