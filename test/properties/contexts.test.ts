import {
  entriesOf,
  everyPart,
  formats,
  groupUnits,
  hasOpenCalls,
  loadCounter,
  readMessage,
  textOf,
  type Body,
  type Context,
  type Entry,
  type FormatName,
  type Message,
  type MessageCounter,
  type Step,
} from '@spillway/engine';
import { providerComplaint, type JsonMessage } from '@spillway/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sized } from '../sizes.js';
import { life, type Life } from './arbitrary-thread.js';
import { ThreadInMemory } from './thread-in-memory.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('estimate'), perMessage: 4 };
});

const runs = {
  numRuns: Number(process.env.SPILLWAY_RUNS ?? sized(4_000, 10_000)),
  // The same threads each time; SPILLWAY_SEED chooses others.
  seed: Number(process.env.SPILLWAY_SEED ?? 1),
};
console.info(`contexts of random threads: ${runs.numRuns} threads, SPILLWAY_SEED=${runs.seed}`);

/** A message as a caller may post it, where the format's writer makes another one. */
function bodyOf(format: FormatName, message: Message, written: Body): Body {
  if (format === 'anthropic') return inOrderOf(message, written);
  const isSystem = format === 'ai-sdk' && message.role === 'system';
  return isSystem ? { role: 'system', content: textOf(message) } : written;
}

/** Words before results: the writer puts them behind. */
function inOrderOf({ parts }: Message, body: Body): Body {
  const isBehind = parts[0]!.type === 'text' && parts.at(-1)!.type === 'result';
  return isBehind ? { ...body, content: (body.content as Body[]).toReversed() } : body;
}

/** Lives a thread's life, compacting whenever it is due, and shows the thread after each message. */
function liveThrough(
  { format, steps, policy, window }: Life,
  look: (thread: ThreadInMemory, generationBefore: number, i: number) => void,
): ThreadInMemory {
  const thread = new ThreadInMemory(policy, window, counter);
  for (const { message, pinned, stray } of steps) {
    const posted = stray ?? format;
    for (const { body: written } of formats[posted].write([message]).bodies) {
      const body = bodyOf(posted, message, written);
      const generation = thread.summaries.length;
      thread.post(posted, body, pinned);
      look(thread, generation, thread.entries.length);
      if (thread.isDue) thread.compact();
    }
  }
  return thread;
}

/** Where message `seq`, or one after it, begins in a context. */
const startOf = (seq: number, { parts }: Context): number => {
  const start = parts.findIndex((part) => part.seq !== null && part.seq >= seq);
  return start === -1 ? parts.length : start;
};

const stepsOf = (entries: readonly Entry[]): Step[] => groupUnits(entries).flatMap((unit) => unit.steps);

/** The step that the newest message is a late result of: the context before it answered the call for the tool. */
function lateStep(entries: readonly Entry[]): Step | undefined {
  const newest = entries.at(-1)!;
  if (newest.answers.length === 0) return undefined;
  const step = stepsOf(entries).find(({ members }) => members.includes(newest));
  const before = groupUnits(entries.slice(0, -1)).at(-1);
  const wasOpen = hasOpenCalls(before) && before.steps.at(-1)!.members[0] === step?.members[0];
  return step && step.members.length > 1 && !wasOpen ? step : undefined;
}

const imagesIn = (context: Context, format: FormatName): number =>
  context.messages
    .flatMap((body) => everyPart(readMessage({ format, body })))
    .filter((part) => part.type === 'media' && part.kind === 'image').length;

describe('for any thread in any format, policy, window and target format', () => {
  test('contexts are within budget and valid, grow only at their end, and cover every message once', () => {
    let contexts = 0;
    fc.assert(
      fc.property(life, (one) => {
        let before: { context: Context; generation: number } | null = null;
        const thread = liveThrough(one, (now, generation) => {
          const context = now.context(one.target);
          if (!context) {
            before = null;
            return;
          }
          contexts++;
          // Tokens add up, and nothing passes the limit that the service would not make again, smaller.
          if (formats[one.target].systemBeside === false)
            expect(context.tokens.total).toBe(now.tokensOf(context, one.target));
          expect(context.tokens.total).toBeLessThanOrEqual(now.budget.limit);
          expect(context.parts).toHaveLength(context.messages.length);
          expect(providerComplaint(context.messages as JsonMessage[], one.target)).toBeNull();

          // Images are bounded, unless pinned ones are more.
          const pinned = now.entries.filter((entry) => entry.pinned).reduce((n, e) => n + e.images, 0);
          expect(imagesIn(context, one.target)).toBeLessThanOrEqual(
            Math.max(one.policy.context!.max_images!, pinned),
          );

          // The newest user message is shown, in full when nothing is elided.
          const newest = now.entries.findLast((entry) => entry.role === 'user');
          const shown = new Set(context.parts.map((part) => part.seq));
          if (newest && newest.answers.length === 0) expect(shown.has(newest.seq)).toBe(true);

          // Only the last message of another format may still grow: it can hold all of a step. And two kinds of
          // steps are written anew: one whose messages come in several formats, with each of them, and one whose
          // result comes after the context had said that there is none, once.
          const steady = now.entries.every((entry) => entry.images === 0);
          if (
            before &&
            steady &&
            before.generation === generation &&
            !before.context.degraded &&
            !context.degraded
          ) {
            const asPosted = one.target === one.format && one.steps.every((step) => step.stray === null);
            const isCleared = (now.summaries.at(-1)?.clearedThrough ?? 0) > 0;
            const sound =
              !isCleared && stepsOf(now.entries).every((step) => step.strays.size === 0 && !step.closed);
            const until = asPosted && sound ? undefined : -1;
            const late = lateStep(now.entries);
            const step = late?.members ?? entriesOf(groupUnits(now.entries).at(-1)!);
            const inOneFormat = new Set(step.map(({ seq }) => now.bodies.get(seq)!.format)).size === 1;
            const settled = before.context.messages.slice(
              0,
              inOneFormat && !late ? until : startOf(step[0]!.seq, before.context),
            );
            expect(context.messages.slice(0, settled.length)).toEqual(settled);
          }
          before = { context, generation };
        });
        let next = 1;
        for (const summary of thread.summaries) {
          expect(summary.from).toBe(next);
          next = summary.to + 1;
        }
      }),
      runs,
    );
    expect(contexts).toBeGreaterThan(runs.numRuns);
  });
});
