import {
  appendMessages,
  changeThread,
  compactThread,
  compactWhileDue,
  contextSince,
  decideProposal,
  eraseThread,
  forkThread,
  holdMessages,
  pinMessage,
  quarantineSummary,
  readContext,
  rebuildSummary,
  requestCompaction,
  restoreSummary,
  retryThread,
  rewindThread,
  serveContext,
  slotsWithoutRedis,
  undoSummary,
  writeSummary,
  reconcileThreads,
} from '@spillway/service';
import { formatNames, SpillwayError } from '@spillway/engine';
import { checkContext } from '../checks/context-checks.js';
import { headSeqOf } from '../memory/thread-row-of.js';
import { promise } from '../violation.js';
import type { World } from '../world.js';
import type { Journal } from './journal.js';

/** An activity: somebody calls a use case of the product. */
type Activity = (world: World, journal: Journal) => void;

const append: Activity = (world, journal) => {
  const { chance } = world;
  const again = chance.happens(0.2) ? journal.retried(chance) : undefined;
  const batch = again ?? journal.nextBatch(chance);
  const usage = journal.usage(chance);
  const { projectId, threadId } = journal;
  world.run('api', `append`, ['thread_erased', 'message_conflict'], async (rt) => {
    const sent = { projectId, threadId, messages: batch.messages, usage };
    const answer = await appendMessages(rt, sent).catch((error: unknown) => {
      // A rewind, also one during this append, frees an id, so that another message may have taken it.
      if (error instanceof SpillwayError && error.code === 'message_conflict')
        promise(wasRewound(world, projectId, threadId), () => `${threadId} refused its own messages`);
      throw error;
    });
    journal.onAnswer(batch, answer, world.tables.find(projectId, threadId));
  });
};

/** Other content under an answered id must be refused. */
const conflict: Activity = (world, journal) => {
  const known = journal.batches.find((batch) => batch.answered !== null);
  const { projectId, threadId } = journal;
  if (!known || wasRewound(world, projectId, threadId)) return;
  const [message] = known.messages;
  const messages = [{ ...message!, body: { role: 'user', content: 'something else' } }];
  world.run('api', 'conflict', ['thread_erased', 'message_conflict'], async (rt) => {
    await appendMessages(rt, { projectId, threadId, messages });
    const isThere = world.tables.find(projectId, threadId)?.row.deletedAt === null;
    if (isThere && !wasRewound(world, projectId, threadId))
      throw new Error(`other content was accepted under ${message!.clientId}`);
  });
};

const wasRewound = (world: World, projectId: string, threadId: string): boolean =>
  (world.tables.find(projectId, threadId)?.rewinds.length ?? 0) > 0;

const read: Activity = (world, { projectId, threadId, served }) => {
  const format = world.chance.happens(0.5) ? 'openai' : world.chance.pick(formatNames);
  // Only messages that may never be left out can make a context impossible.
  const pins = world.tables.find(projectId, threadId)?.messages.some((message) => message.pinned);
  const tooSmall = pins ? ['budget_too_small' as const] : [];
  world.run('api', 'read', ['thread_not_found', ...tooSmall], async (rt) => {
    served.onAsked();
    const before = contentVersionOf(world, projectId, threadId);
    const askedAt = newestOf(world, projectId, threadId);
    const context = await serveContext(rt, { projectId, threadId, format });
    const table = world.tables.find(projectId, threadId);
    // Erased during the read: there may be less of it than the row said.
    if (table?.row.deletedAt !== null) return;
    // Changed during the read: its source is unknown then.
    const isSame = table.row.contentVersion === before;
    checkContext(context, threadId, world.counter, isSame ? table.messages : null);
    if (isSame) served.onServed(context, { ...table.row, askedAt });
  });
};

/** A client that holds its context asks for what changed: it then holds the whole context, whatever happened. */
const readSince: Activity = (world, journal) => {
  const { projectId, threadId, held, served } = journal;
  const since = held?.fingerprint ?? '0'.repeat(64);
  world.run('api', 'read since', ['thread_not_found', 'budget_too_small'], async (rt) => {
    served.onAsked();
    const before = contentVersionOf(world, projectId, threadId);
    const askedAt = newestOf(world, projectId, threadId);
    const { context, change } = await contextSince(rt, { projectId, threadId }, since, serveContext);
    const row = world.tables.find(projectId, threadId)?.row;
    if (row?.deletedAt === null && row.contentVersion === before)
      served.onServed(context, { ...row, askedAt });
    const messages = 'append' in change ? [...(held?.messages ?? []), ...change.append] : change.replay;
    promise(
      JSON.stringify(messages) === JSON.stringify(context.messages),
      () => `a client of ${threadId} that was handed out changes holds another context`,
    );
    journal.held = { fingerprint: context.fingerprint, messages: [...messages] };
  });
};

/** Reads what was served at an earlier message. */
const readAt: Activity = (world, { projectId, threadId, served }) => {
  const seqs = served.seqs();
  if (seqs.length === 0) return;
  const at = world.chance.pick(seqs);
  world.run('api', 'read at', ['thread_not_found', 'budget_too_small'], async (rt) => {
    const before = contentVersionOf(world, projectId, threadId);
    const context = await readContext(rt, { projectId, threadId, at });
    const table = world.tables.find(projectId, threadId);
    if (table?.row.deletedAt === null && table.row.contentVersion === before)
      served.onShown(context, at, table);
  });
};

const contentVersionOf = (world: World, projectId: string, threadId: string): number | undefined =>
  world.tables.find(projectId, threadId)?.row.contentVersion;

/** The newest message; 0 where there is none. */
const newestOf = (world: World, projectId: string, threadId: string): number =>
  (world.tables.find(projectId, threadId)?.row.nextSeq ?? 1) - 1;

/** Another system prompt, or another window for one thread. */
const changeOne: Activity = (world, { projectId, threadId }) => {
  const { chance } = world;
  const system = chance.pick([null, 'Be brief.', 'You are a careful engineer who reads before writing.']);
  const policy = {
    context: { context_window: chance.pick(world.windows) },
    summary: { apply: chance.pick(['automatic' as const, 'on_approval' as const]) },
  };
  const change = world.policyChanges && chance.happens(0.5) ? { policy } : { system };
  world.run('api', 'change', ['thread_not_found'], (rt) => changeThread(rt, projectId, threadId, change));
};

const deliver: Activity = (world) => {
  const hint = world.hints.take();
  if (hint) world.run('worker', 'compact', [], (rt) => compactThread(rt, hint));
};

/** Workers reconcile: with Redis they hint again, without it they do the work. */
const reconcile: Activity = (world) => {
  if (world.chance.happens(0.7)) world.run('worker', 'reconcile', [], (rt) => reconcileThreads(rt));
  else
    world.run('worker', 'work', [], async (rt, { compactor }) => {
      const slots = Array.from({ length: slotsWithoutRedis }, () => compactWhileDue(rt, compactor));
      await Promise.all(slots);
    });
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
  const gone = ['thread_not_found', 'summary_not_found', 'summary_withdrawn', 'summary_rewound'] as const;
  world.run('api', 'restore', gone, (rt) => restoreSummary(rt, projectId, threadId, generation));
};

/** Undoes the newest fold, or one that was the newest a moment ago. */
const undo: Activity = (world, { projectId, threadId }) => {
  const generation = world.tables.find(projectId, threadId)?.row.generation ?? 0;
  if (generation === 0) return;
  const refused = [
    ...(['thread_not_found', 'summary_not_found', 'summary_withdrawn'] as const),
    ...(['summary_not_newest', 'over_limit', 'summary_rewound'] as const),
  ];
  world.run('api', 'undo', refused, (rt) => undoSummary(rt, projectId, threadId, generation));
};

/** A caller puts its own summary in place, at times one that the thread has outgrown. */
const write: Activity = (world, { projectId, threadId }) => {
  const { chance } = world;
  const row = world.tables.find(projectId, threadId)?.row;
  if (!row || row.nextSeq < 3) return;
  const fields = {
    ...{ task_overview: 'Do it.', current_state: `Done up to ${row.nextSeq - 1}.` },
    ...{ important_discoveries: '', next_steps: '', context_to_preserve: '' },
  };
  const own = {
    ...{ projectId, threadId, fields, keyId: 'none' },
    toSeq: 1 + chance.below(row.nextSeq - 1),
    expectedGeneration: chance.happens(0.5) ? row.generation : undefined,
  };
  const refused = ['thread_not_found', 'invalid_request', 'generation_changed', 'thread_busy'] as const;
  const gone = ['summary_not_found', 'message_rewound'] as const;
  world.run('api', 'write', [...refused, ...gone], (rt) => writeSummary(rt, own));
};

/** Approves or rejects what is proposed, or what was rejected. */
const decide: Activity = (world, { projectId, threadId }) => {
  const thread = world.tables.find(projectId, threadId);
  const generation = thread?.row.preparedGeneration || Math.max(0, ...(thread?.rejected ?? []));
  if (generation === 0) return;
  const of = { projectId, threadId, generation, approve: world.chance.happens(0.6) };
  const refused = ['thread_not_found', 'summary_not_found', 'summary_not_proposed'] as const;
  world.run('api', 'decide', refused, (rt) => decideProposal(rt, of));
};

/** Quarantines a summary. */
const quarantine: Activity = (world, { projectId, threadId }) => {
  const generations = world.tables.find(projectId, threadId)?.row.lastGeneration ?? 0;
  if (generations === 0) return;
  const generation = 1 + world.chance.below(generations);
  const gone = ['thread_not_found' as const, 'summary_not_found' as const];
  world.run('api', 'quarantine', gone, (rt) => quarantineSummary(rt, projectId, threadId, generation));
};

/** Pins or unpins any message. */
const pin: Activity = (world, { projectId, threadId }) => {
  const last = (world.tables.find(projectId, threadId)?.row.nextSeq ?? 1) - 1;
  if (last === 0) return;
  const change = {
    projectId,
    threadId,
    seq: 1 + world.chance.below(last),
    pinned: world.chance.happens(0.4),
  };
  const refused = [
    ...(['thread_not_found', 'message_not_found', 'pinned_too_large'] as const),
    'message_rewound' as const,
  ];
  world.run('api', 'pin', refused, async (rt) => {
    await pinMessage(rt, change);
  });
};

/** Keeps or releases any messages. */
const hold: Activity = (world, { projectId, threadId }) => {
  const last = (world.tables.find(projectId, threadId)?.row.nextSeq ?? 1) - 1;
  if (last === 0) return;
  const fromSeq = 1 + world.chance.below(last);
  const toSeq = Math.min(last, fromSeq + world.chance.below(3));
  const asked = world.chance.happens(0.6) ? ('keep' as const) : ('release' as const);
  const refused = [
    ...(['thread_not_found', 'message_not_found', 'kept_too_large'] as const),
    'message_rewound' as const,
  ];
  world.run('api', 'hold', refused, async (rt) => {
    await holdMessages(rt, { projectId, threadId, fromSeq, toSeq, hold: asked });
  });
};

/** Takes the newest messages back, as an agent that edits its history does. */
const rewind: Activity = (world, { projectId, threadId }) => {
  const row = world.tables.find(projectId, threadId)?.row;
  if (!row || row.nextSeq === 1) return;
  const toSeq = Math.max(0, headSeqOf(row) - 1 - world.chance.below(world.chance.pick([2, 8, 40])));
  const refused = ['thread_not_found', 'message_rewound', 'invalid_request', 'thread_busy'] as const;
  world.run('api', 'rewind', refused, async (rt) => {
    await rewindThread(rt, { projectId, threadId, toSeq });
  });
};

/** Tries another way from a message on; what is forked is folded and checked as any thread. */
const fork: Activity = (world, { projectId, threadId }) => {
  const last = world.tables.find(projectId, threadId)?.row.nextSeq ?? 1;
  const at = world.chance.happens(0.5) ? undefined : world.chance.below(last + 1);
  const newId = `${threadId}-fork-${world.chance.below(3)}`;
  const refused = [
    ...(['thread_not_found', 'message_rewound', 'invalid_request', 'thread_busy'] as const),
    ...(['thread_exists', 'thread_erased'] as const),
  ];
  world.run('api', 'fork', refused, async (rt) => {
    await forkThread(rt, { projectId, threadId, at, newId });
  });
};

const erase: Activity = (world, { projectId, threadId }) =>
  world.run('api', 'erase', ['thread_not_found'], (rt) => eraseThread(rt, projectId, threadId));

/** All caches are stale from here on. */
const changePolicy: Activity = (world, { projectId }) => {
  if (!world.policyChanges) return;
  const project = world.tables.projects.get(projectId)!;
  const trigger_ratio = world.chance.pick([0.4, 0.6, 0.7]);
  const context_window = world.chance.pick(world.windows);
  project.policy = JSON.stringify({ context: { trigger_ratio, context_window } });
  project.settingsVersion++;
};

const likely: [number, Activity][] = [
  [40, append],
  [1, conflict],
  [12, read],
  [6, readSince],
  [3, readAt],
  [25, deliver],
  [6, reconcile],
  [3, ask],
  [1.5, restore],
  [1, undo],
  [1.5, write],
  [2, decide],
  [0.5, quarantine],
  [0.8, pin],
  [0.8, hold],
  [1.5, rewind],
  [0.5, fork],
  [0.4, erase],
  [0.3, changePolicy],
  [1, changeOne],
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

/** Background activity without requests. */
export function workOn(world: World): void {
  if (world.hints.length > 0) deliver(world, world.journals[0]!);
  else reconcile(world, world.journals[0]!);
}
