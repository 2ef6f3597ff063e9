import {
  assembleContext,
  contextWithin,
  conversationOverhead,
  loadCounter,
  SpillwayError,
  type Body,
  type Context,
  type ContextInput,
  type Entry,
  type MessageCounter,
  type ReasoningReport,
} from '@spillway/engine';
import { readBodies, readEntries, shownSummary, type VersionedRow } from '@spillway/store';
import type { ReadContext } from './context.js';
import type { ContextFrame, ContextSource } from './context-frame.js';
import { generationOfLoop, nothingServed, servedBefore, withReasoning } from './context-reasoning.js';
import { messageJson, TextHash } from './message-json.js';
import { entryOf, seqsThrough, windowMessage, type WindowMessage } from '../messages/entries.js';
import { heldIn } from '../messages/holds.js';
import { loadMedia, withReferences, type WithReferences } from '../messages/media/load-media.js';
import { withMediaRoom } from '../messages/media/media-room.js';
import { withWholeOutputs } from '../outputs/posted-content.js';
import type { Runtime } from '../runtime.js';

/**
 * A thread waits for its fold somewhat over the limit. Up to this many times the limit it is cheaper to read the bodies
 * that are not shown either than to read twice.
 */
const maxReadAtOnce = 2;

/** The counter that a frame was made with. */
export const counterOf = async ({ counter }: ContextFrame): Promise<MessageCounter> => ({
  text: await loadCounter(counter.name, counter.charsPerToken),
  perMessage: counter.perMessage,
});

/**
 * Builds a context from its source. Throws `budget_too_small`, and `thread_not_found` when the thread was erased
 * meanwhile.
 */
export const buildContext = (rt: Runtime, asked: ContextSource): Promise<ReadContext> =>
  withMediaRoom(() => build(rt, asked));

async function build(rt: Runtime, asked: ContextSource): Promise<ReadContext> {
  const { assembled, made } = await reasonedWithin(rt, asked);
  const { source, context, pinned, system, report, digest, readsServed } = made;
  const { row, frame, prompt, summary, through } = source;
  const { format, contextWindow, limit, trigger, systemTokens } = frame;
  return {
    ...context,
    format,
    system,
    budget: { contextWindow, limit, trigger },
    summary: summary ?? null,
    lastSeq: through,
    model: row.model,
    fullTokens: Number(row.totalTokens) + systemTokens + conversationOverhead,
    fingerprint: fingerprintOf(system, context.messages, [
      ...[limit, trigger, through],
      ...(frame.namesTools ? [frame.toolsHash] : []),
    ]),
    served: null,
    reasoning: report,
    made: { row, frame: { ...frame, digest, pinned }, prompt, window: assembled.window },
    isRepeatable: !assembled.readsBlobs && !readsServed,
  };
}

/** The SHA-256 of `[system, messages, ...more]` as JSON. */
function fingerprintOf(system: string | null, messages: readonly Body[], more: readonly unknown[]): string {
  const hash = new TextHash().add(`[${JSON.stringify(system)},[`);
  messages.forEach((message, i) => hash.add(i === 0 ? '' : ',').add(messageJson(message)));
  return hash.add(`],${JSON.stringify(more).slice(1)}`).digest('hex');
}

interface ReasonedContext extends Pick<Assembled, 'source' | 'context' | 'pinned'> {
  system: string | null;
  report: ReasoningReport;
  digest: string;
  /** It depends on which contexts were served before. */
  readsServed: boolean;
}

/**
 * A context within its limit, also once reasoning is left out: what cannot do without it is a note, which may take more
 * tokens than the call or the picture. Then less is shown.
 */
async function reasonedWithin(
  rt: Runtime,
  asked: ContextSource,
): Promise<{ assembled: Assembled; made: ReasonedContext }> {
  let assembled = await assembleMeasured(rt, asked);
  let made = await reasoned(rt, assembled);
  const max = Math.min(assembled.source.frame.limit, asked.measuredLimit);
  const source = { ...assembled.source, frame: { ...assembled.source.frame, limit: max } };
  for (let limit = max; made.context.tokens.total > max;) {
    limit -= made.context.tokens.total - max;
    try {
      const { window } = assembled;
      assembled = await assemble(rt, { ...source, window, frame: { ...source.frame, limit } });
    } catch (error) {
      throw error instanceof BudgetTooSmall ? tooSmall(error.minimum + max - limit, source) : error;
    }
    const less = await reasoned(rt, assembled);
    made = { ...less, source: { ...less.source, frame: source.frame } };
  }
  return { assembled, made };
}

/**
 * Leaves out reasoning that its provider would refuse. When the newest fold would break the running tool loop, the
 * context still shows the generation before it, if that fits.
 */
async function reasoned(rt: Runtime, assembled: Assembled): Promise<ReasonedContext> {
  const { source, context, pinned } = assembled;
  const counter = await counterOf(source.frame);
  const before = await servedBefore(rt, source, context);
  const system = systemOf(source, context);
  const made = withReasoning(source, context, { ...before, system, counter });
  const readsServed = before !== nothingServed;
  const generation = generationOfLoop(made, before, source.summary);
  const older = generation === null ? null : await unfolded(rt, source, generation);
  if (older && !older.context.degraded) {
    const known = await servedBefore(rt, older.source, older.context);
    const olderSystem = systemOf(older.source, older.context);
    const again = withReasoning(older.source, older.context, { ...known, system: olderSystem, counter });
    // A provider that counts more than the calibration would refuse it.
    if (again.brokenLoop === null && again.context.tokens.total <= source.measuredLimit)
      return { ...again, source: older.source, pinned: older.pinned, system: olderSystem, readsServed };
  }
  return { ...made, source, pinned, system, readsServed };
}

/** The same context under an older generation; null when it does not fit. */
async function unfolded(rt: Runtime, source: ContextSource, generation: number): Promise<Assembled | null> {
  const { projectId, uid } = source.row;
  const summary =
    generation === 0 ? undefined : await shownSummary(rt.store.query, projectId, uid, generation);
  if (generation !== 0 && !summary) return null;
  try {
    return await assemble(rt, { ...source, summary, window: null });
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'budget_too_small') return null;
    throw error;
  }
}

/** The thread's system prompt and the leading system messages. */
function systemOf({ prompt }: ContextSource, { system }: Context): string | null {
  const prompts = [...(prompt === null ? [] : [prompt]), ...system];
  return prompts.length > 0 ? prompts.join('\n\n') : null;
}

interface Assembled {
  source: ContextSource;
  context: Context;
  /** It shows media or whole outputs, which may expire or be lost. */
  readsBlobs: boolean;
  /** Null when bodies were read as they were needed. */
  window: readonly WindowMessage[] | null;
  /** See ContextFrame. */
  pinned: readonly number[];
}

/** A provider that counts more than the calibration would refuse the context, and no compaction might ever come. */
async function assembleMeasured(rt: Runtime, source: ContextSource): Promise<Assembled> {
  const assembled = await assemble(rt, source);
  const { measuredLimit: limit, frame } = source;
  if (assembled.context.tokens.total <= limit) return assembled;
  return assemble(rt, { ...source, window: assembled.window, frame: { ...frame, limit } });
}

async function assemble(rt: Runtime, source: ContextSource): Promise<Assembled> {
  const { row, frame, summary, through } = source;
  const { limit } = frame;
  const leading = seqsThrough(Math.min(frame.leadingThrough ?? row.leadingThrough, through));
  const carried = summary?.carried ?? [];
  const after = summary?.toSeq ?? 0;
  const window = {
    projectId: row.projectId,
    threadUid: row.uid,
    after,
    through,
    also: [...leading, ...carried],
  };
  // Everything is shown, or nearly: bodies are read at once. Of longer threads, entries decide which bodies are read.
  const readsAtOnce = through === row.headSeq && row.liveTokens <= maxReadAtOnce * limit;
  const read = async () => (await rt.contextQueue.readWindow(window, row.liveTokens)).map(windowMessage);
  const whole = source.window ?? (readsAtOnce ? await read() : null);
  const entries = pinnedAs(
    frame.pinned,
    whole?.map(({ entry }) => entry) ?? (await readEntries(rt.store.query, window)).map(entryOf),
  );
  const carriedSeqs = new Set(carried);
  const input: ContextInput = {
    limit,
    systemTokens: frame.systemTokens,
    leading: entries.filter((entry) => entry.seq <= leading.length),
    carried: entries.filter(
      (entry) => entry.seq > leading.length && entry.seq <= after && carriedSeqs.has(entry.seq),
    ),
    summary: summary ? { text: summary.text, tokens: summary.tokens } : null,
    maxImages: frame.maxImages,
    clearedThrough: summary?.clearedThrough ?? 0,
    holds: heldIn(summary?.holds ?? null),
    recent: entries.filter((entry) => entry.seq > Math.max(after, leading.length)),
  };
  const made = await within(rt, source, input, whole);
  if (!('minimum' in made))
    return { ...made, source, pinned: entries.flatMap((entry) => (entry.pinned ? entry.seq : [])) };
  const enough = await smallestBudget(source.frame.limit, made.minimum, (limit) =>
    within(rt, { ...source, frame: { ...frame, limit } }, input, whole),
  );
  throw tooSmall(enough, source);
}

/** The messages as they were pinned when a context was served; without a record of it, as they are now. */
function pinnedAs(pinned: readonly number[] | undefined, entries: readonly Entry[]): readonly Entry[] {
  if (pinned === undefined) return entries;
  const seqs = new Set(pinned);
  return entries.map((entry) =>
    entry.pinned === seqs.has(entry.seq) ? entry : { ...entry, pinned: !entry.pinned },
  );
}

/** Budgets that are tried once one is known to work. Each builds a context, so a refusal must not try every budget. */
const maxNarrowings = 8;

/**
 * The smallest budget that works, above one that was refused with this estimate; exact where both are within 256 tokens
 * of each other. Budgets are tried, because what a context needs depends on the budget itself.
 */
async function smallestBudget(
  limit: number,
  minimum: number,
  build: (limit: number) => Promise<object | { minimum: number }>,
): Promise<number> {
  let refused = limit;
  let enough = 0;
  for (let estimate: number | null = minimum; estimate !== null;) {
    enough = Math.max(estimate, refused + Math.ceil(refused / 16));
    const made = await build(enough);
    estimate = 'minimum' in made ? made.minimum : null;
    if (estimate !== null) refused = enough;
  }
  for (let tries = 0; tries < maxNarrowings && enough - refused > 1; tries++) {
    const middle = Math.trunc((refused + enough) / 2);
    if ('minimum' in (await build(middle))) refused = middle;
    else enough = middle;
  }
  return enough;
}

/**
 * Maximum of media in a context: about 32 MB in base64, which is as much as a provider takes in a request. All of them
 * are in memory at once, some of them several times, and the same file may be in every message.
 */
const maxMediaBytes = 24_000_000;

/** Where nothing fits, `minimum` estimates what would. */
async function within(
  rt: Runtime,
  { row, frame }: ContextSource,
  input: ContextInput,
  whole: readonly WindowMessage[] | null,
): Promise<Omit<Assembled, 'source' | 'pinned'> | { minimum: number }> {
  const counter = await counterOf(frame);
  let readsBlobs = false;
  const context = await contextWithin({ ...input, limit: frame.limit }, async (outline) => {
    const shown = whole?.map(asStored) ?? (await readShown(rt, row, outline.seqs));
    const hidden = (seq: number): number => outline.reductions.get(seq)?.images ?? 0;
    const maxBytes = maxMediaBytes;
    const { bodies, lost, tooLarge } = await loadMedia(rt, row.projectId, shown, { hidden, maxBytes });
    await withWholeOutputs(rt, row, input.holds, bodies);
    for (const seq of lost)
      outline.reductions.set(seq, { ...noReduction, ...outline.reductions.get(seq), lost: true });
    for (const seq of tooLarge)
      outline.reductions.set(seq, { ...noReduction, ...outline.reductions.get(seq), tooLarge: true });
    readsBlobs = input.holds !== undefined || shown.some(({ media }) => media !== null);
    return assembleContext(outline, bodies, { target: frame.format, counter, alternate: frame.alternate });
  });
  return 'minimum' in context ? context : { context, readsBlobs, window: whole };
}

async function readShown(rt: Runtime, { projectId, uid }: VersionedRow, seqs: readonly number[]) {
  const rows = await readBodies(rt.store.query, projectId, uid, seqs);
  // Messages disappear only with their thread, which was erased between the two reads.
  if (rows.length < seqs.length) throw new SpillwayError('thread_not_found', 'No such thread.');
  return rows.map(withReferences);
}

const asStored = ({ entry, stored, media }: WindowMessage): WithReferences => ({
  seq: entry.seq,
  stored,
  media,
});

const noReduction = { images: 0, cleared: false };

/** Names the budget that would be enough, in the message and in `minimum`. */
export class BudgetTooSmall extends SpillwayError {
  constructor(
    readonly minimum: number,
    message: string,
    errors?: { path: string; message: string }[],
  ) {
    super('budget_too_small', message, errors);
  }
}

const tooSmall = (minimum: number, { frame, ownLimit }: ContextSource): BudgetTooSmall =>
  minimum <= ownLimit
    ? new BudgetTooSmall(
        minimum,
        `No valid context of this thread fits ${frame.limit} tokens; ${minimum} are enough.`,
        [{ path: '/max_tokens', message: `is too small: ${minimum} is enough` }],
      )
    : new BudgetTooSmall(
        minimum,
        `No valid context of this thread fits its limit of ${ownLimit} tokens; ${minimum} would be enough. ` +
          'Give it a larger context window, or unpin messages.',
      );
