import { formats, readMessage, type Stored } from '../formats/formats.js';
import type { Format, MessageIds } from '../formats/format.js';
import { emptyMessage } from '../formats/parts.js';
import { countReasoning, type ReasoningKind } from '../formats/reasoning.js';
import type { Entry } from '../messages/entry.js';
import type { FormatName } from '../messages/format-name.js';
import { textPart, type Body, type Message } from '../messages/message.js';
import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import { withIds, type CallIds } from './call-ids.js';
import { reduceMessage, type Reduction } from './reduce.js';
import { shortenMessage } from './shorten.js';

/** One message of a context. */
export interface Shown {
  body: Body;
  seq: number | null;
  tokens: number;
}

/** The input of showing messages, the same for all of one context. */
export interface Showing {
  outline: {
    /** Tokens each shortened message may take, by seq. */
    shortened: ReadonlyMap<number, number>;
    reductions: ReadonlyMap<number, Reduction>;
  };
  bodies: ReadonlyMap<number, Stored>;
  target: FormatName;
  counter: MessageCounter;
  /** Of the whole context: its units are shown in order. */
  callIds: CallIds;
  /** Ids of the provider's calls that a text replaces, in what was shown before. */
  lostPrograms: Set<string>;
}

/** A message on its way into a context: as posted, or changed. Steps are written from their pieces. */
export interface Piece {
  seq: number | null;
  message: Message;
  /** The posted body, when it can be sent unchanged. */
  asPosted: Shown | null;
  /** Reasoning that is left out, of this message or of one for which it stands. */
  lostReasoning?: readonly LostReasoning[];
}

/** Reasoning of a message that is shown without it. */
export interface LostReasoning {
  seq: number;
  /** Number of blocks that were left out. */
  blocks: Record<ReasoningKind, number>;
}

/** A loss: something of a message that the format of the context cannot express. */
export interface Dropped {
  seq: number | null;
  what: string;
}

export interface ShownUnit {
  shown: Shown[];
  dropped: Dropped[];
  lostReasoning: LostReasoning[];
}

/** The piece of a stored message: reduced and shortened as the outline says, with its ids in this context. */
export function pieceOf({ seq, tokens }: Entry, showing: Showing, ids?: MessageIds): Piece {
  const { shortened, reductions } = showing.outline;
  const posted = showing.bodies.get(seq)!;
  const isOwn = posted.format === showing.target;
  const stored = ids && isOwn ? withBodyIds(posted, ids) : posted;
  const room = shortened.get(seq);
  const reduction = reductions.get(seq);
  const isMarked = posted.body.role === 'system' && formats[showing.target].laterSystem === 'nowhere';
  if (room === undefined && !reduction && isOwn && !isMarked) {
    const body = formats[showing.target].mend(stored.body);
    const message = readMessage({ format: showing.target, body });
    const counted = body === posted.body ? tokens : countMessage(message, showing.counter);
    return { seq, message, asPosted: { body, seq, tokens: counted } };
  }
  const read = readMessage(stored);
  let message = ids && !isOwn ? withIds(read, ids) : read;
  if (reduction) message = reduceMessage(message, seq, reduction);
  if (room === undefined) return { seq, message, asPosted: null };
  const short = shortenMessage(message, room, showing.counter);
  const lostReasoning = isOwn && short !== message ? reasoningOf(seq, posted) : [];
  if (short !== message)
    for (const part of message.parts)
      if (part.type === 'other' && part.runs !== undefined) showing.lostPrograms.add(part.runs);
  return { seq, message: short, asPosted: null, lostReasoning };
}

/** The reasoning of a message that is shown without it; none when it has none. */
export function reasoningOf(seq: number, { format, body }: Stored): LostReasoning[] {
  const all = countReasoning(body, format, 'all');
  return all === 0 ? [] : [{ seq, blocks: { all, signed: countReasoning(body, format, 'signed') } }];
}

const withBodyIds = ({ format, body }: Stored, ids: MessageIds): Stored => ({
  format,
  body: formats[format].withCallIds(body, ids),
});

/**
 * An empty message of the assistant gets a text, because most providers refuse it. Where a format makes one message of
 * those in a row, it needs none beside what the others say.
 */
function withContent(pieces: readonly Piece[], format: Format): Message[] {
  const messages = pieces.map(({ message }) => message);
  const isEmpty = ({ asPosted, message }: Piece): boolean =>
    asPosted === null && message.role === 'assistant' && message.parts.length === 0;
  if (!pieces.some(isEmpty)) return messages;
  let run = 0;
  const runs = messages.map(({ role }, i) =>
    role === 'assistant' && messages[i - 1]?.role === role ? run : ++run,
  );
  const { bodies } = format.write(messages);
  const own = new Map(bodies.map(({ from, body }) => [from, body]));
  const written = new Set(bodies.map(({ from }) => runs[from]));
  return pieces.map((piece, i) => {
    const body = own.get(i);
    const isThere = body ? body.content !== '' : written.has(runs[i]);
    if (isThere || !isEmpty(piece)) return piece.message;
    written.add(runs[i]);
    return { ...piece.message, parts: [textPart(emptyMessage)] };
  });
}

/** The pieces as messages of the context. */
export function writePieces(pieces: readonly Piece[], { target, counter }: Showing): ShownUnit {
  const format = formats[target];
  const { bodies, dropped } = format.write(withContent(pieces, format));
  return {
    shown: bodies.map(({ body: made, from }) => {
      const body = format.mend(made);
      return { body, seq: pieces[from]!.seq, tokens: countMessage(format.read(body), counter) };
    }),
    dropped: dropped.map(({ what, from }) => ({ seq: pieces[from]!.seq, what })),
    lostReasoning: pieces.flatMap(({ lostReasoning = [] }) => lostReasoning),
  };
}
