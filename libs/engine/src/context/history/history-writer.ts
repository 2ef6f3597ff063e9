import type { Stored } from '../../formats/formats.js';
import type { FormatName } from '../../messages/format-name.js';
import type { Body } from '../../messages/message.js';
import type { MessageCounter } from '../../tokens/count-message.js';
import type { Unit } from '../../units/unit.js';
import { marksIn, maxMarks, messagesFromMarks, withNewestMarks } from '../cache-marks.js';
import { ContextWriter } from '../context-writer.js';
import type { Dropped } from '../piece.js';

/** Messages of a history that nothing behind them changes any more. */
export interface WrittenHistory {
  messages: { seq: number | null; body: Body }[];
  /** What the format cannot express, of messages that were returned here or before. */
  dropped: Dropped[];
}

/** Maximum of messages that are held back because of their marks. */
const maxHeld = 100;

/**
 * Writes a whole history in batches, as one context without a limit. Some rules depend on what comes before or after a
 * message, so the newest message waits for the next batch, and so do those from the two newest marks of a cached prefix
 * on. Nobody knows of a mark that more than `maxHeld` messages follow whether two newer ones come: one such mark stays,
 * because the prefix that it caches would be paid for again with each call, and with it only the newest one.
 */
export class HistoryWriter {
  private readonly bodies = new Map<number, Stored>();
  private readonly writer: ContextWriter;
  private hasBegun = false;
  /** How many marks what was not returned yet may have. */
  private marksLeft = maxMarks;
  /** The last message that was returned. */
  private before: Body | undefined;

  constructor(
    private readonly target: FormatName,
    counter: MessageCounter,
  ) {
    this.writer = new ContextWriter({ outline: wholeOutline(), bodies: this.bodies, target, counter }, false);
  }

  /** Adds units with the bodies of their messages. Only the last batch may end with calls that wait for a result. */
  add(units: readonly Unit[], bodies: ReadonlyMap<number, Stored>): WrittenHistory {
    const { messages, parts } = this.writer.context;
    for (const [seq, stored] of bodies) this.bodies.set(seq, stored);
    if (!this.hasBegun) this.hasBegun = this.writer.addBeginning(units);
    for (const unit of units) this.writer.addUnit('recent', unit, unit === units.at(-1));
    // The next message is compared with the last one as it was posted.
    const last = parts.at(-1)?.seq;
    for (const seq of this.bodies.keys()) if (seq !== last) this.bodies.delete(seq);
    const held = messagesFromMarks(messages, this.target, this.marksLeft);
    const count = messages.length - Math.max(Math.min(held, maxHeld), 1);
    return this.release(count, held > maxHeld ? this.marksLeft - 1 : 0);
  }

  /** Returns the messages that were held back. */
  end(): WrittenHistory {
    return this.release(this.writer.context.messages.length, this.marksLeft);
  }

  /** Returns the first messages, with so many of their newest marks. */
  private release(count: number, marks: number): WrittenHistory {
    if (count <= 0) return { messages: [], dropped: [] };
    const { context } = this.writer;
    this.writer.markMisplaced(this.before, count);
    const bodies = withNewestMarks(context.messages.splice(0, count), this.target, marks);
    this.marksLeft -= bodies.reduce((sum, body) => sum + marksIn(body), 0);
    const parts = context.parts.splice(0, count);
    this.before = bodies.at(-1);
    const held = new Set(context.parts.map(({ seq }) => seq));
    const dropped = context.dropped.filter(({ seq }) => !held.has(seq));
    context.dropped = context.dropped.filter(({ seq }) => held.has(seq));
    return { messages: bodies.map((body, i) => ({ seq: parts[i]!.seq, body })), dropped };
  }
}

/** Nothing is beside the units of a history, and nothing of them is left out. */
const wholeOutline = () => ({
  input: {
    limit: Infinity,
    systemTokens: 0,
    leading: [],
    carried: [],
    summary: null,
    recent: [],
    maxImages: Infinity,
    clearedThrough: 0,
  },
  carried: [],
  shown: [],
  shortened: new Map<number, number>(),
  reductions: new Map(),
  elided: [],
  degraded: false,
  seqs: [],
});
