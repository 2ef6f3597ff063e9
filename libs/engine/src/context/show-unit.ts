import { placeholder } from '../formats/parts.js';
import { formats, readMessage } from '../formats/formats.js';
import { isErasedReasoning } from '../formats/responses/erased-item.js';
import type { Entry } from '../messages/entry.js';
import {
  callsOf,
  resultMessage,
  resultsOf,
  textOfParts,
  textPart,
  type Message,
  type Part,
} from '../messages/message.js';
import { countMessage } from '../tokens/count-message.js';
import { hasOpenCalls, type Step, type Unit } from '../units/unit.js';
import { withoutCallers } from './callers.js';
import {
  pieceOf,
  reasoningOf,
  writePieces,
  type LostReasoning,
  type Piece,
  type Showing,
  type ShownUnit,
} from './piece.js';

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
    const { shown, ...lost } = writePieces(added, showing);
    return { shown: [...asPosted, ...shown], ...lost };
  }
  const written = members.map((piece) =>
    withResults(piece, step, (index, strays) => !strays.includes(index)),
  );
  if (open) return writePieces(written, showing);
  const speech = members.filter(isMixed).map((piece) => ({ ...piece, message: speechOf(piece.message) }));
  const all = [...written, ...missingResults(missing, members), ...speech, ...notes(step, members, showing)];
  return writePieces(all, showing);
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

function asNote(part: Part): Part {
  if (part.type !== 'result') return part;
  const of = part.name === null ? '' : ` of ${part.name.slice(0, 40)}`;
  const id = part.callId.slice(0, 40);
  const shown = part.parts.map((one) => (one.type === 'media' ? textPart(placeholder(one.kind)) : one));
  const text = textOfParts(shown);
  return textPart(`[Result${of} that came late, twice or without its call (${id}):]\n${text}`);
}
