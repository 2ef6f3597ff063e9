import { countMessage, type MessageCounter } from './count-message.js';
import type { Entry } from './entry.js';
import { formats, readMessage, type Stored } from './formats/formats.js';
import type { FormatName } from './formats/format-name.js';
import {
  resultMessage,
  resultsOf,
  textOfParts,
  textPart,
  type Body,
  type Message,
  type Part,
} from './message.js';
import { reduceMessage, type Reduction } from './reduce.js';
import { shortenMessage } from './shorten.js';
import { isOpen, type Unit } from './unit.js';

/** One message of a context. */
export interface Shown {
  body: Body;
  seq: number | null;
  tokens: number;
}

export interface Showing {
  outline: {
    /** Tokens each shortened message may take, by seq. */
    shortened: ReadonlyMap<number, number>;
    reductions: ReadonlyMap<number, Reduction>;
  };
  bodies: ReadonlyMap<number, Stored>;
  target: FormatName;
  counter: MessageCounter;
}

/** A message on its way into a context: as it was posted, or as it had to become. */
interface Piece {
  seq: number | null;
  message: Message;
  /** What was posted, when it can be sent as it is. */
  asPosted: Shown | null;
}

export interface Dropped {
  seq: number | null;
  what: string;
}

/**
 * One unit as a model is sent it. When nothing of it had to change and it is in the format asked for, the bodies are
 * exactly what was posted; otherwise the whole unit is written anew, so that calls and results stay together. Calls
 * at the very end of a context are still being worked on, and are left open.
 */
export function showUnit(
  unit: Unit,
  isLast: boolean,
  showing: Showing,
): { shown: Shown[]; dropped: Dropped[] } {
  const members = unit.members.map((entry) => pieceOf(entry, showing));
  const open = isLast && isOpen(unit);
  const repaired = unit.unanswered.length + unit.notes.length + unit.strays.size > 0;
  const asPosted = members.map((piece) => piece.asPosted).filter((shown) => shown !== null);
  const speaksTooEarly = unit.unanswered.length > 0 && members.some(isMixed);
  if (asPosted.length === members.length && unit.strays.size === 0 && !speaksTooEarly) {
    const added = open || !repaired ? [] : [...missingResults(unit), ...notes(unit, members, showing)];
    const { shown, dropped } = write(added, showing);
    return { shown: [...asPosted, ...shown], dropped };
  }
  const step = members.map((piece) => withResults(piece, unit, (place, strays) => !strays.includes(place)));
  if (open) return write(step, showing);
  const said = members.filter(isMixed).map((piece) => ({ ...piece, message: speechOf(piece.message) }));
  const all = [...step, ...missingResults(unit), ...said, ...notes(unit, members, showing)];
  return write(all, showing);
}

/** A result for each call that has none. */
const missingResults = (unit: Unit): Piece[] =>
  unit.unanswered.map((id) => ({ seq: null, message: resultMessage(id, noResult), asPosted: null }));

/** Results that answer nothing here may not be sent as such; the model gets them as notes of the user. */
function notes(unit: Unit, members: readonly Piece[], showing: Showing): Piece[] {
  const strays = members
    .filter((piece) => unit.strays.has(piece.seq!))
    .map((piece) => withResults(piece, unit, (place, of) => of.includes(place)));
  const whole = unit.notes.map((entry) => pieceOf(entry, showing));
  return [...strays.map((piece) => onlyResults(piece)), ...whole].map((piece) => ({
    ...piece,
    message: { ...piece.message, role: 'user', parts: piece.message.parts.map(asNote) },
  }));
}

/** The user's words in a message that also brings results are said after all results. */
const isMixed = ({ message }: Piece): boolean =>
  message.role !== 'assistant' && resultsOf(message).length > 0 && speechOf(message).parts.length > 0;
const speechOf = (message: Message): Message => ({
  ...message,
  parts: message.parts.filter((part) => part.type !== 'result'),
});
const onlyResults = (piece: Piece): Piece => ({
  ...piece,
  message: { ...piece.message, parts: resultsOf(piece.message) },
});

/** A member with those of its results that `keep` says; without its speech, if it is mixed. */
function withResults(
  piece: Piece,
  unit: Unit,
  keep: (place: number, strays: readonly number[]) => boolean,
): Piece {
  const strays = unit.strays.get(piece.seq!) ?? [];
  let place = -1;
  const kept = piece.message.parts.filter((part) => part.type !== 'result' || keep(++place, strays));
  const message = { ...piece.message, parts: kept };
  return isMixed(piece) ? onlyResults({ ...piece, message }) : { ...piece, message };
}

const noResult = '[no result was recorded for this call]';

function pieceOf({ seq, tokens }: Entry, showing: Showing): Piece {
  const { shortened, reductions } = showing.outline;
  const stored = showing.bodies.get(seq)!;
  const room = shortened.get(seq);
  const reduction = reductions.get(seq);
  let message = readMessage(stored);
  if (room === undefined && !reduction && stored.format === showing.target)
    return { seq, message, asPosted: { body: stored.body, seq, tokens } };
  if (reduction) message = reduceMessage(message, seq, reduction);
  if (room !== undefined) message = shortenMessage(message, room, showing.counter);
  return { seq, message, asPosted: null };
}

function asNote(part: Part): Part {
  if (part.type !== 'result') return part;
  const of = part.name === null ? '' : ` of ${part.name.slice(0, 40)}`;
  const id = part.callId.slice(0, 40);
  const text = textOfParts(part.parts);
  return textPart(`[Result${of} for a tool call that is not in this context (${id}):]\n${text}`);
}

function write(
  pieces: readonly Piece[],
  { target, counter }: Showing,
): { shown: Shown[]; dropped: Dropped[] } {
  const format = formats[target];
  const { bodies, dropped } = format.write(pieces.map((piece) => piece.message));
  return {
    shown: bodies.map(({ body, from }) => ({
      body,
      seq: pieces[from]!.seq,
      tokens: countMessage(format.read(body), counter),
    })),
    dropped: dropped.map(({ what, from }) => ({ seq: pieces[from]!.seq, what })),
  };
}
