import { conversationOverhead } from './budget.js';
import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { Entry } from '../messages/entry.js';
import { fitContext, type Elided } from './fit.js';
import type { Format } from '../formats/format.js';
import { formats, readMessage, type Stored } from '../formats/formats.js';
import type { FormatName } from '../formats/format-name.js';
import { callsOf, resultsOf, textOf, userMessage, type Body, type Message } from '../messages/message.js';
import { CallIds } from '../formats/call-ids.js';
import { reduceEntries, type Reduction, type ReductionRules } from './reduce.js';
import { postedSeparator, separator } from './separators.js';
import { showUnit, type Dropped, type Shown } from './show-unit.js';
import { entriesOf, firstSeq, groupUnits, isOpen, type Unit } from './unit.js';

export type PartKind = 'system' | 'carried' | 'summary' | 'recent' | 'note';

export interface ContextPart {
  kind: PartKind;
  seq: number | null;
  tokens: number;
}

export interface ContextInput extends ReductionRules {
  limit: number;
  /** Tokens of the system prompt and the tool schemas, which are sent beside the messages. */
  systemTokens: number;
  leading: readonly Entry[];
  carried: readonly Entry[];
  /** The rendered active summary as the model sees it; null without one. */
  summary: { text: string; tokens: number } | null;
  recent: readonly Entry[];
}

/** The messages that a context shows; their bodies are read only afterwards. */
export interface ContextOutline {
  input: ContextInput;
  carried: Unit[];
  shown: Unit[];
  /** Maximum tokens of each shortened message, by seq. */
  shortened: Map<number, number>;
  /** Old images and results that are not shown, by seq. */
  reductions: Map<number, Reduction>;
  elided: Elided[];
  degraded: boolean;
  seqs: number[];
}

/** A call at the end of a context that waits for its result. */
export interface PendingCall {
  /** The message with the call. */
  seq: number;
  callId: string;
  name: string;
}

export interface Context {
  messages: Body[];
  /** One for each of `messages`. */
  parts: ContextPart[];
  /** Leading system messages, for a format that sends them beside the messages. */
  system: string[];
  tokens: { total: number; system: number; summary: number; recent: number };
  elided: Elided[];
  /** What the format cannot express, by message. */
  dropped: Dropped[];
  degraded: boolean;
  /** Calls without a result at the end. A provider accepts the context only once they have one. */
  pendingCalls: PendingCall[];
}

export type Outlined = { fits: true; outline: ContextOutline } | { fits: false; minimum: number };

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
 * A context within its limit, from its outline as `write` writes it. Notes between messages are known only once it is
 * written, and another format may take more tokens than the posted one: then less is shown. Where nothing fits,
 * `minimum` estimates what would.
 */
export async function contextWithin(
  input: ContextInput,
  write: (outline: ContextOutline) => Promise<Context>,
): Promise<Context | { minimum: number }> {
  let minimum: number | null = null;
  for (let room = input.limit; ;) {
    const outlined = outlineContext({ ...input, limit: room });
    if (!outlined.fits) {
      // An outline counts each note at its maximum. One that is slightly too large may fit once it is written.
      if (minimum !== null || room < input.limit) return { minimum: minimum ?? outlined.minimum };
      minimum = room = outlined.minimum;
      continue;
    }
    const context = await write(outlined.outline);
    if (context.tokens.total <= input.limit) return context;
    if (minimum !== null) return { minimum };
    room -= context.tokens.total - input.limit;
  }
}

/**
 * Second half: leading system messages, the summary, carried messages, then the recent ones, in the format asked
 * for. Every tool result follows its call; a call without a result is answered for it unless it is still open at
 * the very end. Where the context itself puts two messages of the user in a row, which strict chat templates refuse,
 * a word of the assistant stands between them; messages posted in a row stay as they were posted unless `alternate`.
 * `callIds` has the ids of what stands before, where a history is written in several contexts.
 */
export function assembleContext(
  outline: ContextOutline,
  bodies: ReadonlyMap<number, Stored>,
  target: FormatName,
  counter: MessageCounter,
  alternate = false,
  callIds = new CallIds(formats[target]),
): Context {
  const { input } = outline;
  const format = formats[target];
  const context: Context = {
    messages: [],
    parts: [],
    system: [],
    tokens: { total: 0, system: input.systemTokens + conversationOverhead, summary: 0, recent: 0 },
    elided: outline.elided,
    dropped: [],
    degraded: outline.degraded,
    pendingCalls: pendingCalls(outline.shown.at(-1), bodies),
  };
  const put = (kind: PartKind, { body, seq, tokens }: Shown) => {
    context.messages.push(body);
    context.parts.push({ kind, seq, tokens });
    context.tokens[groupOf(kind)] += tokens;
  };
  const bringsResults = (seq: number): boolean => resultsOf(readMessage(bodies.get(seq)!)).length > 0;
  const written = (message: Message, tokens = countMessage(message, counter)): Shown => ({
    body: format.write([message]).bodies[0]!.body,
    seq: null,
    tokens,
  });
  const add = (kind: PartKind, shown: readonly Shown[]) => {
    for (const one of shown) {
      const last = context.messages.at(-1);
      const inARow = last !== undefined && isSpeech(last, format) && isSpeech(one.body, format);
      const before = context.parts.at(-1)?.seq ?? null;
      const asPosted =
        before !== null && before + 1 === one.seq && [before, one.seq].every((seq) => !bringsResults(seq));
      if (inARow && (alternate || !asPosted)) put('note', written(asPosted ? postedSeparator : separator));
      put(kind, one);
    }
  };
  const show = (kind: PartKind, unit: Unit, isLast: boolean) => {
    const { shown, dropped } = showUnit(unit, isLast, { outline, bodies, target, counter, callIds });
    add(kind, shown);
    for (const note of dropped) context.dropped.push(note);
  };
  const note = (kind: PartKind, text: string, tokens?: number) => {
    add(kind, [written(userMessage(text), tokens)]);
  };

  if (format.systemBeside) {
    context.system = input.leading.map((entry) => textOf(readMessage(bodies.get(entry.seq)!)));
    context.tokens.system += input.leading.reduce((sum, entry) => sum + entry.tokens, 0);
  } else {
    for (const unit of groupUnits(input.leading)) show('system', unit, false);
  }
  if (input.summary) note('summary', input.summary.text, input.summary.tokens);
  const [firstUnit] = [...outline.carried, ...outline.shown];
  if (format.userFirst && !input.summary && firstUnit?.steps[0]!.members[0]?.role === 'assistant')
    note('note', begins);
  for (const unit of outline.carried) show('carried', unit, false);
  const gaps = outline.elided.filter((gap) => gap.reason === 'over_budget');
  outline.shown.forEach((unit, i) => {
    while (gaps[0] && gaps[0].from_seq < firstSeq(unit)) note('note', gapNote(gaps.shift()!));
    show('recent', unit, i === outline.shown.length - 1);
  });
  if (format.systemBeside) markMisplaced(context, format, counter);
  const { system, summary, recent } = context.tokens;
  context.tokens.total = system + summary + recent;
  return context;
}

/**
 * Claude accepts a system message, from Opus 4.8 on, directly after the user and before the assistant or at the end. Of
 * its neighbors a context may show others. There it becomes a marked message of the user.
 */
function markMisplaced(context: Context, format: Format, counter: MessageCounter): void {
  const { messages, parts, tokens } = context;
  for (const [i, body] of messages.entries()) {
    if (body.role !== 'system') continue;
    if (messages[i - 1]?.role === 'user' && (messages[i + 1]?.role ?? 'assistant') === 'assistant') continue;
    const message = format.read(body);
    const { bodies, dropped } = format.write([message]);
    const marked = bodies[0]!.body;
    const part = parts[i]!;
    const added = countMessage(format.read(marked), counter) - countMessage(message, counter);
    messages[i] = marked;
    part.tokens += added;
    tokens[groupOf(part.kind)] += added;
    for (const { what } of dropped) context.dropped.push({ seq: part.seq, what });
  }
}

/** Whether the user speaks in this message, without results in it. */
function isSpeech(body: Body, format: Format): boolean {
  if (body.role !== 'user') return false;
  return resultsOf(format.read(body)).length === 0;
}

/** Calls of the newest step without a result: of several with one id the last, as results go to calls in order. */
function pendingCalls(unit: Unit | undefined, bodies: ReadonlyMap<number, Stored>): PendingCall[] {
  if (!isOpen(unit)) return [];
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
