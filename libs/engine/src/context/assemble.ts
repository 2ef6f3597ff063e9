import type { MessageCounter } from '../tokens/count-message.js';
import {
  conversationOverhead,
  type Context,
  type ContextInput,
  type ContextOutline,
  type Outlined,
  type PendingCall,
} from './context.js';
import { fitContext, type Elided } from './fit.js';
import { formats, readMessage, type Stored } from '../formats/formats.js';
import type { FormatName } from '../messages/format-name.js';
import { callsOf } from '../messages/message.js';
import { withNewestMarks } from './cache-marks.js';
import { ContextWriter } from './context-writer.js';
import { reduceEntries } from './reduce.js';
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

export interface AssembleOptions {
  /** The format of the context. */
  target: FormatName;
  counter: MessageCounter;
  /** Messages of the user that were posted in a row are separated too. */
  alternate?: boolean;
}

/**
 * Second half: leading system messages, the summary, carried messages, then the recent ones, in the format asked
 * for. Every tool result follows its call; a call without a result is answered for it unless it is still open at
 * the very end.
 */
export function assembleContext(
  outline: ContextOutline,
  bodies: ReadonlyMap<number, Stored>,
  { target, counter, alternate = false }: AssembleOptions,
): Context {
  const { input } = outline;
  const format = formats[target];
  const writer = new ContextWriter({ outline, bodies, target, counter }, alternate);
  if (format.systemBeside) writer.putBeside(input.leading);
  else for (const unit of groupUnits(input.leading)) writer.addUnit('system', unit);
  if (input.summary) writer.addSummary(input.summary);
  const gaps = outline.elided.filter((gap) => gap.reason === 'over_budget');
  if (!input.summary && !isFirst(gaps[0], outline))
    writer.addBeginning([...outline.carried, ...outline.shown]);
  for (const unit of outline.carried) writer.addUnit('carried', unit);
  for (const unit of outline.shown) {
    while (gaps[0] && gaps[0].from_seq < firstSeq(unit)) writer.addNote(gapNote(gaps.shift()!));
    writer.addUnit('recent', unit, unit === outline.shown.at(-1));
  }
  const { context } = writer;
  writer.markMisplaced(undefined, context.messages.length);
  context.messages = withNewestMarks(context.messages, target);
  context.pendingCalls = pendingCalls(outline.shown.at(-1), bodies);
  const { system, summary, recent } = context.tokens;
  context.tokens.total = system + summary + recent;
  return context;
}

/** Whether a note on this gap stands before all messages. */
const isFirst = (gap: Elided | undefined, { carried, shown }: ContextOutline): boolean =>
  gap !== undefined && carried.length === 0 && (!shown[0] || gap.from_seq < firstSeq(shown[0]));

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

const gapNote = (gap: Elided): string =>
  `[Messages ${gap.from_seq}-${gap.to_seq} are not shown: they are over the budget and not summarized yet.]`;
