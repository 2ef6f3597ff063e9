import {
  appendMessages,
  compactDueThreads,
  compactThread,
  eraseThread,
  quarantineSummary,
  rebuildSummary,
  requestCompaction,
  restoreSummary,
  retryThread,
  serveContext,
  sweepThreads,
} from '@spillway/service';
import { formatNames } from '@spillway/engine';
import { checkContext } from '../checks/context-checks.js';
import type { World } from '../world.js';
import type { Journal } from './journal.js';

/** Something that happens: somebody calls a use case of the product. */
type Activity = (world: World, journal: Journal) => void;

const append: Activity = (world, journal) => {
  const { chance } = world;
  const again = chance.happens(0.2) ? journal.retried(chance) : undefined;
  const batch = again ?? journal.nextBatch(chance);
  const { projectId, threadId } = journal;
  world.run('api', `append`, ['thread_erased'], (rt) =>
    appendMessages(rt, { projectId, threadId, messages: batch.messages }).then((answer) =>
      journal.onAnswer(batch, answer, world.tables.find(projectId, threadId)),
    ),
  );
};

/** Other content under an id that was answered: nothing else may come of it than a refusal. */
const conflict: Activity = (world, journal) => {
  const known = journal.batches.find((batch) => batch.answered !== null);
  if (!known) return;
  const { projectId, threadId } = journal;
  const [message] = known.messages;
  const messages = [{ ...message!, body: { role: 'user', content: 'something else' } }];
  world.run('api', 'conflict', ['thread_erased', 'message_conflict'], async (rt) => {
    await appendMessages(rt, { projectId, threadId, messages });
    if (world.tables.find(projectId, threadId)?.row.deletedAt === null)
      throw new Error(`other content was accepted under ${message!.clientId}`);
  });
};

const read: Activity = (world, { projectId, threadId }) => {
  const format = world.chance.happens(0.5) ? 'openai' : world.chance.pick(formatNames);
  // Only messages that may never leave can make a context impossible.
  const pins = world.tables.find(projectId, threadId)?.messages.some((message) => message.pinned);
  const tooSmall = pins ? ['budget_too_small' as const] : [];
  world.run('api', 'read', ['thread_not_found', ...tooSmall], async (rt) => {
    const context = await serveContext(rt, { projectId, threadId, format });
    const table = world.tables.find(projectId, threadId);
    // Erased while it was read: then there may be less of it than the row said.
    if (table?.row.deletedAt === null) checkContext(context, threadId, world.counter);
  });
};

const deliver: Activity = (world) => {
  const hint = world.hints.take();
  if (hint) world.run('worker', 'compact', [], (rt) => compactThread(rt, hint));
};

/** Workers look for themselves: with Redis they hint again, without it they do the work. */
const pulse: Activity = (world) => {
  if (world.chance.happens(0.7)) world.run('worker', 'pulse', [], (rt) => sweepThreads(rt));
  else world.run('worker', 'work', [], (rt, { compactor }) => compactDueThreads(rt, compactor));
};

const ask: Activity = (world, { projectId, threadId }) => {
  const gone = ['thread_not_found' as const];
  const policy = { context: { trigger_ratio: 0.1, min_reclaim_ratio: 0.05, reserve_ratio: 0.05 } };
  const uses = [
    () => world.run('api', 'request', gone, (rt) => requestCompaction(rt, projectId, threadId, { policy })),
    () => world.run('api', 'rebuild', gone, (rt) => rebuildSummary(rt, projectId, threadId)),
    () => world.run('api', 'retry', gone, (rt) => retryThread(rt, projectId, threadId)),
  ];
  world.chance.pick(uses)();
};

const restore: Activity = (world, { projectId, threadId }) => {
  const generations = world.tables.find(projectId, threadId)?.row.lastGeneration ?? 0;
  if (generations === 0) return;
  const generation = 1 + world.chance.below(generations);
  const gone = ['thread_not_found' as const, 'summary_not_found' as const, 'summary_withdrawn' as const];
  world.run('api', 'restore', gone, (rt) => restoreSummary(rt, projectId, threadId, generation));
};

/** Takes a summary out of service, with all that were made from it. */
const quarantine: Activity = (world, { projectId, threadId }) => {
  const generations = world.tables.find(projectId, threadId)?.row.lastGeneration ?? 0;
  if (generations === 0) return;
  const generation = 1 + world.chance.below(generations);
  const gone = ['thread_not_found' as const, 'summary_not_found' as const];
  world.run('api', 'quarantine', gone, (rt) => quarantineSummary(rt, projectId, threadId, generation));
};

const erase: Activity = (world, { projectId, threadId }) =>
  world.run('api', 'erase', ['thread_not_found'], (rt) => eraseThread(rt, projectId, threadId));

/** All caches are stale from here on. */
const changePolicy: Activity = (world, { projectId }) => {
  if (!world.policyChanges) return;
  const project = world.tables.projects.get(projectId)!;
  project.policy = JSON.stringify({ context: { trigger_ratio: world.chance.pick([0.4, 0.6, 0.7]) } });
  project.settingsVersion++;
};

const likely: [number, Activity][] = [
  [40, append],
  [1, conflict],
  [12, read],
  [25, deliver],
  [6, pulse],
  [3, ask],
  [1.5, restore],
  [0.5, quarantine],
  [0.4, erase],
  [0.3, changePolicy],
];
const total = likely.reduce((sum, [weight]) => sum + weight, 0);

export function startOne(world: World, journal: Journal): void {
  let dice = world.chance.random() * total;
  for (const [weight, activity] of likely) {
    dice -= weight;
    if (dice < 0) {
      activity(world, journal);
      return;
    }
  }
}

/** What goes on when nobody asks for anything any more. */
export function workOn(world: World): void {
  if (world.hints.length > 0) deliver(world, world.journals[0]!);
  else pulse(world, world.journals[0]!);
}
