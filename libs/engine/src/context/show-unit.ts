import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { Entry } from '../messages/entry.js';
import { emptyMessage, placeholder } from '../formats/parts.js';
import { formats, readMessage, type Stored } from '../formats/formats.js';
import { isErasedReasoning } from '../formats/responses/erased-item.js';
import type { Format, MessageIds } from '../formats/format.js';
import type { FormatName } from '../messages/format-name.js';
import {
  callsOf,
  resultMessage,
  resultsOf,
  textOfParts,
  textPart,
  type Body,
  type Message,
  type Part,
} from '../messages/message.js';
import { withIds, type CallIds } from './call-ids.js';
import { withoutCallers } from './callers.js';
import { reduceMessage, type Reduction } from './reduce.js';
import { shortenMessage } from './shorten.js';
import { countReasoning, type ReasoningKind } from '../formats/reasoning.js';
import { hasOpenCalls, type Step, type Unit } from '../units/unit.js';

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
  /** Of the whole context: its units are shown in order. */
  callIds: CallIds;
  /** Ids of the provider's calls that a text replaces, in what was shown before. */
  lostPrograms: Set<string>;
}

/** A message on its way into a context: as posted, or changed. */
interface Piece {
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

export interface Dropped {
  seq: number | null;
  what: string;
}

export interface ShownUnit {
  shown: Shown[];
  dropped: Dropped[];
  lostReasoning: LostReasoning[];
}

/** One unit as a model is sent it, step by step. Calls of the last step of a context stay open. */
export function showUnit(unit: Unit, isLast: boolean, showing: Showing): ShownUnit {
  const steps = unit.steps.map((step) => {
    const { members, lostReasoning } = withoutErasedReasoning(step.members, showing);
    const open = isLast && hasOpenCalls(unit) && step === unit.steps.at(-1);
    const shown = showStep({ ...step, members }, open, showing);
    return { ...shown, lostReasoning: [...lostReasoning, ...shown.lostReasoning] };
  });
  if (steps.length === 1) return withoutLostCallers(steps[0]!, showing);
  const shown = {
    shown: steps.flatMap((step) => step.shown),
    dropped: steps.flatMap((step) => step.dropped),
    lostReasoning: steps.flatMap((step) => step.lostReasoning),
  };
  return withoutLostCallers(shown, showing);
}

/** What follows erased reasoning of OpenAI must not refer to it. */
function withoutErasedReasoning(
  members: readonly Entry[],
  { target, bodies }: Showing,
): { members: Entry[]; lostReasoning: LostReasoning[] } {
  const isErased = ({ seq }: Entry): boolean =>
    target === 'responses' && isErasedReasoning(bodies.get(seq)!.body);
  const erased = members.filter(isErased);
  return {
    members: members.filter((entry) => !isErased(entry)),
    lostReasoning: erased.map(({ seq }) => ({ seq, blocks: { all: 1, signed: 1 } })),
  };
}

/** What a program called comes after it, also in later units while the program runs. */
function withoutLostCallers(unit: ShownUnit, { target, counter, lostPrograms }: Showing): ShownUnit {
  if (lostPrograms.size === 0) return unit;
  const shown = unit.shown.map((one) => {
    const body = withoutCallers(one.body, lostPrograms);
    return body === one.body
      ? one
      : { ...one, body, tokens: countMessage(formats[target].read(body), counter) };
  });
  return { ...unit, shown };
}

/**
 * When nothing of a step changed and it is in the requested format, the bodies are exactly the posted ones; otherwise
 * the whole step is written again, so that calls and results stay together.
 */
function showStep(step: Step, open: boolean, showing: Showing): ShownUnit {
  const { changed, missing: unanswered } = showing.callIds.ofStep(step);
  const pieces = step.members.map((entry) => pieceOf(entry, showing, changed.get(entry.seq)));
  const { members, missing } = open
    ? { members: pieces, missing: unanswered }
    : withoutWordless(pieces, unanswered, showing);
  const repaired = missing.length + step.notes.length + step.strays.size > 0;
  const asPosted = members.map((piece) => piece.asPosted).filter((shown) => shown !== null);
  const last = members.length - 1;
  const speaksTooEarly = members.some(
    (piece, i) => (missing.length > 0 || (i < last && piece.message.role === 'user')) && isMixed(piece),
  );
  if (asPosted.length === members.length && step.strays.size === 0 && !speaksTooEarly) {
    const added =
      open || !repaired ? [] : [...missingResults(missing, members), ...notes(step, members, showing)];
    const { shown, ...lost } = write(added, showing);
    return { shown: [...asPosted, ...shown], ...lost };
  }
  const written = members.map((piece) =>
    withResults(piece, step, (index, strays) => !strays.includes(index)),
  );
  if (open) return write(written, showing);
  const speech = members.filter(isMixed).map((piece) => ({ ...piece, message: speechOf(piece.message) }));
  const all = [...written, ...missingResults(missing, members), ...speech, ...notes(step, members, showing)];
  return write(all, showing);
}

/** Calls without a result that no text may answer are notes, in the formats that have such calls. */
function withoutWordless(
  pieces: Piece[],
  missing: readonly string[],
  { target, bodies }: Showing,
): { members: Piece[]; missing: readonly string[] } {
  const { takesText } = formats[target];
  if (!takesText || missing.length === 0) return { members: pieces, missing };
  const isWordless = (part: Part) => part.type === 'call' && missing.includes(part.id) && !takesText(part);
  const gone = new Set<string>();
  // OpenAI refuses reasoning without the item that it is for.
  const last = pieces.findLastIndex(({ message }) => message.parts.some(isWordless));
  const lostReasoning: LostReasoning[] = [];
  const members = pieces.flatMap((piece, i): Piece[] => {
    const calls = callsOf(piece.message).filter(isWordless);
    if (i < last && piece.message.parts.some(({ type }) => type === 'reasoning')) {
      for (const one of reasoningOf(piece.seq!, bodies.get(piece.seq!)!)) lostReasoning.push(one);
      return [];
    }
    if (calls.length === 0) return [piece];
    for (const { id } of calls) gone.add(id);
    const parts = piece.message.parts.map((part) =>
      part.type === 'call' && isWordless(part)
        ? textPart(
            `[Your call of ${part.name.slice(0, 40)}, of which no result was recorded:]\n${part.input}`,
          )
        : part,
    );
    const message: Message = { ...piece.message, role: 'user', parts };
    return [{ ...piece, message, asPosted: null, lostReasoning: lostReasoning.splice(0) }];
  });
  return { members, missing: missing.filter((id) => !gone.has(id)) };
}

/** A generated result for each call without one. Formats differ in what they take over from the call. */
function missingResults(ids: readonly string[], members: readonly Piece[]): Piece[] {
  if (ids.length === 0) return [];
  const calls = new Map(
    members.flatMap(({ message }) => callsOf(message).map((call) => [call.id, call] as const)),
  );
  return ids.map((id) => ({
    seq: null,
    message: resultMessage(id, noResult, calls.get(id)),
    asPosted: null,
  }));
}

/** Results that answer no call may not be sent as results; the model gets them as notes of the user. */
function notes(step: Step, members: readonly Piece[], showing: Showing): Piece[] {
  const strays = members
    .filter((piece) => step.strays.has(piece.seq!))
    .map((piece) => withResults(piece, step, (index, of) => of.includes(index)));
  // Results stand before words only where they answer calls: a note has the order of its message.
  const whole = step.notes.map((entry) => {
    const piece = pieceOf(entry, showing);
    return piece.asPosted ? { ...piece, message: readMessage(showing.bodies.get(entry.seq)!) } : piece;
  });
  return [...strays.map((piece) => onlyResults(piece)), ...whole].map((piece) => ({
    ...piece,
    message: noteOf(piece.message),
  }));
}

/** Approvals of the AI SDK stand among results alone. */
function noteOf(message: Message): Message {
  const { role, parts } = message;
  const shown = role === 'tool' ? parts.filter((part) => part.type === 'result') : parts;
  return { ...message, role: 'user', parts: shown.map(asNote) };
}

/** The user's words in a message with results come after all results. Approvals of the AI SDK stand among them. */
const isMixed = ({ message }: Piece): boolean =>
  message.role === 'user' && resultsOf(message).length > 0 && speechOf(message).parts.length > 0;
const speechOf = (message: Message): Message => ({
  ...message,
  parts: message.parts.filter((part) => part.type !== 'result'),
});
const onlyResults = (piece: Piece): Piece => ({
  ...piece,
  message: { ...piece.message, parts: resultsOf(piece.message) },
});

/** A member with the results that `keep` selects; without its speech, if it is mixed. */
function withResults(
  piece: Piece,
  step: Step,
  keep: (index: number, strays: readonly number[]) => boolean,
): Piece {
  const strays = step.strays.get(piece.seq!) ?? [];
  let index = -1;
  const kept = piece.message.parts.filter((part) => part.type !== 'result' || keep(++index, strays));
  const message = { ...piece.message, parts: kept };
  return isMixed(piece) ? onlyResults({ ...piece, message }) : { ...piece, message };
}

export const noResult = '[no result was recorded for this call]';

function pieceOf({ seq, tokens }: Entry, showing: Showing, ids?: MessageIds): Piece {
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
function reasoningOf(seq: number, { format, body }: Stored): LostReasoning[] {
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

function asNote(part: Part): Part {
  if (part.type !== 'result') return part;
  const of = part.name === null ? '' : ` of ${part.name.slice(0, 40)}`;
  const id = part.callId.slice(0, 40);
  const shown = part.parts.map((one) => (one.type === 'media' ? textPart(placeholder(one.kind)) : one));
  const text = textOfParts(shown);
  return textPart(`[Result${of} that came late, twice or without its call (${id}):]\n${text}`);
}

function write(pieces: readonly Piece[], { target, counter }: Showing): ShownUnit {
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
