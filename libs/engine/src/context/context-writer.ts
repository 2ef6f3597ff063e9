import { formats, readMessage } from '../formats/formats.js';
import type { Format } from '../formats/format.js';
import type { Entry } from '../messages/entry.js';
import { resultsOf, textOf, userMessage, type Body, type Message } from '../messages/message.js';
import { countMessage } from '../tokens/count-message.js';
import type { Unit } from '../units/unit.js';
import { CallIds } from './call-ids.js';
import { conversationOverhead, type Context, type ContextOutline, type PartKind } from './context.js';
import type { Showing, Shown } from './piece.js';
import { postedSeparator, separator } from './separators.js';
import { showUnit } from './show-unit.js';

/**
 * Adds messages to a context in their order, and counts them. Where the context itself puts two messages of the user
 * in a row, which strict chat templates refuse, a word of the assistant stands between them. Messages posted in a row
 * stay as they were posted unless `alternate`.
 */
export class ContextWriter {
  readonly context: Context;
  private readonly format: Format;
  private readonly showing: Showing;

  constructor(
    of: Omit<Showing, 'callIds' | 'lostPrograms'> & { outline: ContextOutline },
    private readonly alternate: boolean,
  ) {
    const { outline, target } = of;
    this.format = formats[target];
    this.showing = { ...of, callIds: new CallIds(this.format), lostPrograms: new Set() };
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
   * Adds the note that must stand before an assistant's first message where a provider requires the user's. Returns
   * whether these units have a message at all: approvals of the AI SDK are none elsewhere.
   */
  addBeginning(units: readonly Unit[]): boolean {
    const firsts = units.map(({ steps }) => steps[0]!.members[0]);
    const at = firsts.findIndex((entry) => entry?.role !== 'tool' || entry.answers.length > 0);
    if (this.format.userFirst && firsts[at]?.role === 'assistant') this.addNote(begins);
    return at !== -1;
  }

  /**
   * Claude accepts a system message, from Opus 4.8 on, directly after the user and before the assistant or at the end.
   * Of its neighbors a context may show others. There it becomes a marked message of the user. Looks at the first
   * `count` messages; `before` stood before them.
   */
  markMisplaced(before: Body | undefined, count: number): void {
    if (this.format.laterSystem !== 'between') return;
    const { messages, parts, tokens } = this.context;
    const { counter } = this.showing;
    for (const [i, body] of messages.slice(0, count).entries()) {
      if (body.role !== 'system') continue;
      const last = i === 0 ? before : messages[i - 1];
      if (last?.role === 'user' && (messages[i + 1]?.role ?? 'assistant') === 'assistant') continue;
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

/** Whether the user speaks in this message, without results in it. */
function isSpeech(body: Body, format: Format): boolean {
  if (body.role !== 'user') return false;
  return resultsOf(format.read(body)).length === 0;
}

const groupOf = (kind: PartKind): 'system' | 'summary' | 'recent' =>
  kind === 'system' || kind === 'summary' ? kind : 'recent';

/** For providers that require a user message first. */
const begins = '[The conversation starts with the assistant.]';
