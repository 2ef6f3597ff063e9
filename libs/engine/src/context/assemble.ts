import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { Entry } from '../messages/entry.js';
import {
  conversationOverhead,
  type Context,
  type ContextInput,
  type ContextOutline,
  type Outlined,
  type PartKind,
  type PendingCall,
} from './context.js';
import { fitContext, type Elided } from './fit.js';
import type { Format } from '../formats/format.js';
import { formats, readMessage, type Stored } from '../formats/formats.js';
import type { FormatName } from '../messages/format-name.js';
import { callsOf, resultsOf, textOf, userMessage, type Body, type Message } from '../messages/message.js';
import { withNewestMarks } from './cache-marks.js';
import { CallIds } from './call-ids.js';
import { reduceEntries } from './reduce.js';
import { postedSeparator, separator } from './separators.js';
import { showUnit, type Showing, type Shown } from './show-unit.js';
import { entriesOf, firstSeq, groupUnits, hasOpenCalls, type Unit } from '../units/unit.js';

/** First half of a context: decides from entries alone what is shown. */
export function outlineContext(input: ContextInput): Outlined {
  const leadingTokens = input.leading.reduce((sum, entry) => sum + entry.tokens, 0);
  const { entries, reductions } = reduceEntries([...input.carried, ...input.recent], input);
  const carried = groupUnits(entries.slice(0, input.carried.length));
  const fit = fitContext({
    limit: input.limit,
    fixed: input.systemTokens + conversationOverhead + leadingTokens + (input.summary?.tokens ?? 0),
    carried,
    recent: groupUnits(entries.slice(input.carried.length)),
  });
  if (!fit.fits) return fit;
  const { shown, shortened, elided } = fit;
  const units = [...carried, ...shown];
  const seqs = [...input.leading, ...units.flatMap(entriesOf)].map((entry) => entry.seq);
  const degraded = elided.length > 0;
  return { fits: true, outline: { input, carried, shown, shortened, reductions, elided, degraded, seqs } };
}

/**
 * A context within its limit, from its outline as `write` writes it. Where nothing fits, `minimum` estimates what
 * would.
 */
export async function contextWithin(
  input: ContextInput,
  write: (outline: ContextOutline) => Promise<Context>,
): Promise<Context | { minimum: number }> {
  const outlined = outlineContext(input);
  return outlined.fits
    ? showLess(input, outlined.outline, write)
    : tryMinimum(input, outlined.minimum, write);
}

/**
 * Notes between messages are known only once a context is written, and another format may take more tokens than the
 * posted one. Then less is shown, until it fits.
 */
async function showLess(
  input: ContextInput,
  outline: ContextOutline,
  write: (outline: ContextOutline) => Promise<Context>,
): Promise<Context | { minimum: number }> {
  let { limit } = input;
  let minimum = Infinity;
  let outlined: Outlined = { fits: true, outline };
  while (outlined.fits) {
    const context = await write(outlined.outline);
    if (context.tokens.total <= input.limit) return context;
    minimum = Math.min(minimum, context.tokens.total);
    limit -= context.tokens.total - input.limit;
    outlined = outlineContext({ ...input, limit });
  }
  // That of the last outline is for the smaller limit which was tried, and not for what such a context took.
  return { minimum };
}

/** An outline counts each note at its maximum. One that is slightly too large may fit once it is written. */
async function tryMinimum(
  input: ContextInput,
  minimum: number,
  write: (outline: ContextOutline) => Promise<Context>,
): Promise<Context | { minimum: number }> {
  const outlined = outlineContext({ ...input, limit: minimum });
  if (!outlined.fits) return { minimum };
  const context = await write(outlined.outline);
  return context.tokens.total <= input.limit ? context : { minimum: Math.max(minimum, context.tokens.total) };
}

export interface Assembling {
  /** The format of the context. */
  target: FormatName;
  counter: MessageCounter;
  /** Messages of the user that were posted in a row are separated too. */
  alternate?: boolean;
  /** The ids of what stands before, where a history is written in several contexts. */
  callIds?: CallIds;
}

/**
 * Second half: leading system messages, the summary, carried messages, then the recent ones, in the format asked
 * for. Every tool result follows its call; a call without a result is answered for it unless it is still open at
 * the very end.
 */
export function assembleContext(
  outline: ContextOutline,
  bodies: ReadonlyMap<number, Stored>,
  { target, counter, alternate = false, callIds = new CallIds(formats[target]) }: Assembling,
): Context {
  const { input } = outline;
  const format = formats[target];
  const showing = { outline, bodies, target, counter, callIds, lostPrograms: new Set<string>() };
  const writer = new ContextWriter(showing, alternate);
  if (format.systemBeside) writer.putBeside(input.leading);
  else for (const unit of groupUnits(input.leading)) writer.addUnit('system', unit);
  if (input.summary) writer.addSummary(input.summary);
  const gaps = outline.elided.filter((gap) => gap.reason === 'over_budget');
  if (format.userFirst && !input.summary && startsWithAssistant(outline, gaps[0])) writer.addNote(begins);
  for (const unit of outline.carried) writer.addUnit('carried', unit);
  for (const unit of outline.shown) {
    while (gaps[0] && gaps[0].from_seq < firstSeq(unit)) writer.addNote(gapNote(gaps.shift()!));
    writer.addUnit('recent', unit, unit === outline.shown.at(-1));
  }
  if (format.laterSystem === 'between') writer.markMisplaced();
  const { context } = writer;
  context.messages = withNewestMarks(context.messages, target);
  context.pendingCalls = pendingCalls(outline.shown.at(-1), bodies);
  const { system, summary, recent } = context.tokens;
  context.tokens.total = system + summary + recent;
  return context;
}

/**
 * Adds messages to a context in their order, and counts them. Where the context itself puts two messages of the user
 * in a row, which strict chat templates refuse, a word of the assistant stands between them. Messages posted in a row
 * stay as they were posted unless `alternate`.
 */
class ContextWriter {
  readonly context: Context;
  private readonly format: Format;

  constructor(
    private readonly showing: Showing & { outline: ContextOutline },
    private readonly alternate: boolean,
  ) {
    const { outline, target } = showing;
    this.format = formats[target];
    this.context = {
      messages: [],
      parts: [],
      system: [],
      tokens: {
        total: 0,
        system: outline.input.systemTokens + conversationOverhead,
        summary: 0,
        recent: 0,
      },
      elided: outline.elided,
      dropped: [],
      lostReasoning: [],
      degraded: outline.degraded,
      pendingCalls: [],
    };
  }

  /** Puts the leading system messages beside the messages. */
  putBeside(leading: readonly Entry[]): void {
    const { system, tokens } = this.context;
    for (const entry of leading) {
      system.push(textOf(this.posted(entry.seq)));
      tokens.system += entry.tokens;
    }
  }

  addUnit(kind: PartKind, unit: Unit, isLast = false): void {
    const { shown, dropped, lostReasoning } = showUnit(unit, isLast, this.showing);
    for (const one of shown) this.add(kind, one);
    for (const one of dropped) this.context.dropped.push(one);
    for (const one of lostReasoning) this.context.lostReasoning.push(one);
  }

  addSummary({ text, tokens }: { text: string; tokens: number }): void {
    this.add('summary', this.written(userMessage(text), tokens));
  }

  addNote(text: string): void {
    this.add('note', this.written(userMessage(text)));
  }

  /**
   * Claude accepts a system message, from Opus 4.8 on, directly after the user and before the assistant or at the end.
   * Of its neighbors a context may show others. There it becomes a marked message of the user.
   */
  markMisplaced(): void {
    const { messages, parts, tokens } = this.context;
    const { counter } = this.showing;
    for (const [i, body] of messages.entries()) {
      if (body.role !== 'system') continue;
      if (messages[i - 1]?.role === 'user' && (messages[i + 1]?.role ?? 'assistant') === 'assistant')
        continue;
      const message = this.format.read(body);
      const { bodies, dropped } = this.format.write([message]);
      const marked = bodies[0]!.body;
      const part = parts[i]!;
      const added = countMessage(this.format.read(marked), counter) - countMessage(message, counter);
      messages[i] = marked;
      part.tokens += added;
      tokens[groupOf(part.kind)] += added;
      for (const { what } of dropped) this.context.dropped.push({ seq: part.seq, what });
    }
  }

  private add(kind: PartKind, shown: Shown): void {
    const between = this.separatorBefore(shown);
    if (between) this.put('note', this.written(between));
    this.put(kind, shown);
  }

  private put(kind: PartKind, { body, seq, tokens }: Shown): void {
    this.context.messages.push(body);
    this.context.parts.push({ kind, seq, tokens });
    this.context.tokens[groupOf(kind)] += tokens;
  }

  /** The word of the assistant that must stand before this message; null where none must. */
  private separatorBefore({ body, seq }: Shown): Message | null {
    const last = this.context.messages.at(-1);
    if (!last || !isSpeech(last, this.format) || !isSpeech(body, this.format)) return null;
    const asPosted = this.followsAsPosted(seq);
    if (asPosted && !this.alternate) return null;
    return asPosted ? postedSeparator : separator;
  }

  /** Whether a message was posted directly after the one before it, and neither has results. */
  private followsAsPosted(seq: number | null): boolean {
    const before = this.context.parts.at(-1)?.seq ?? null;
    if (before === null || seq !== before + 1) return false;
    return [before, seq].every((one) => resultsOf(this.posted(one)).length === 0);
  }

  private posted(seq: number): Message {
    return readMessage(this.showing.bodies.get(seq)!);
  }

  /** A message of the context's own, in its format. */
  private written(message: Message, tokens = countMessage(message, this.showing.counter)): Shown {
    return { body: this.format.write([message]).bodies[0]!.body, seq: null, tokens };
  }
}

/**
 * Whether the first message after the leading ones is the assistant's, and no note on a gap stands before it. Approvals
 * of the AI SDK are no messages elsewhere.
 */
function startsWithAssistant({ carried, shown }: ContextOutline, gap: Elided | undefined): boolean {
  if (gap && carried.length === 0 && (!shown[0] || gap.from_seq < firstSeq(shown[0]))) return false;
  const firsts = [...carried, ...shown].map(({ steps }) => steps[0]!.members[0]);
  const first = firsts.find((entry) => entry?.role !== 'tool' || entry.answers.length > 0);
  return first?.role === 'assistant';
}

/** Whether the user speaks in this message, without results in it. */
function isSpeech(body: Body, format: Format): boolean {
  if (body.role !== 'user') return false;
  return resultsOf(format.read(body)).length === 0;
}

/** Calls of the newest step without a result: of several with one id the last, as results go to calls in order. */
function pendingCalls(unit: Unit | undefined, bodies: ReadonlyMap<number, Stored>): PendingCall[] {
  if (!hasOpenCalls(unit)) return [];
  const { members, unanswered, repeated } = unit.steps.at(-1)!;
  const open = new Map<string, number>();
  for (const id of [...unanswered, ...repeated]) open.set(id, (open.get(id) ?? 0) + 1);
  return members
    .filter((entry) => entry.calls.some((id) => open.has(id)))
    .flatMap(({ seq }) =>
      callsOf(readMessage(bodies.get(seq)!)).map((call) => ({ seq, callId: call.id, name: call.name })),
    )
    .toReversed()
    .filter(({ callId }) => {
      const left = open.get(callId) ?? 0;
      open.set(callId, left - 1);
      return left > 0;
    })
    .toReversed();
}

const groupOf = (kind: PartKind): 'system' | 'summary' | 'recent' =>
  kind === 'system' || kind === 'summary' ? kind : 'recent';

/** For providers that require a user message first. */
const begins = '[The conversation starts with the assistant.]';

const gapNote = (gap: Elided): string =>
  `[Messages ${gap.from_seq}-${gap.to_seq} are not shown: they are over the budget and not summarized yet.]`;
