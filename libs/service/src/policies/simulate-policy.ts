import { setImmediate } from 'node:timers/promises';
import {
  simulatePolicy as simulate,
  type Budget,
  type Entry,
  type InstructionWithState,
  type Policy,
  type PolicyInput,
  type Simulation,
} from '@spillway/engine';
import { readEntries } from '@spillway/store';
import { entryOf } from '../messages/entries.js';
import { getThread } from '../threads/get-thread.js';
import { freshProject } from './fresh-project.js';
import { instructionRoom } from '../instructions/instruction-slot.js';
import { readInstructionsNow } from '../instructions/list-instructions.js';
import type { Runtime } from '../runtime.js';
import { refuseBadPolicy } from './policy-problems.js';
import type { ThreadSettings } from './settings.js';

/** Longer threads are replayed up to this many messages. */
export const maxReplayed = 20_000;
/** Yields to other requests after this much work. */
const turnMs = 10;

export interface SimulatedRun extends Simulation {
  budget: Budget;
}

export interface PolicySimulation {
  messages: number;
  replayed: number;
  current: SimulatedRun;
  draft: SimulatedRun;
  /** Changed keys that the simulation does not cover. */
  notSimulated: string[];
}

/**
 * Replays a thread's message sizes under a draft and under its current policy, with the planner that compacts it.
 * Changes nothing and calls no model. Throws `thread_not_found`, and `invalid_request` for an invalid draft.
 */
export async function simulatePolicy(
  rt: Runtime,
  projectId: string,
  asked: { threadId: string; policy: PolicyInput; level: 'project' | 'thread' },
): Promise<PolicySimulation> {
  const row = await getThread(rt, projectId, asked.threadId);
  const project = await freshProject(rt, projectId);
  const own = { ...row, policy: JSON.parse(row.policy) as PolicyInput };
  const current = await rt.settings.resolve(project, own);
  const draft =
    asked.level === 'project'
      ? await rt.settings.resolve({ ...project, policy: JSON.stringify(asked.policy) }, own)
      : await rt.settings.resolve(project, { ...row, policy: asked.policy });
  refuseBadPolicy(draft, rt.summarizers);
  const through = Math.min(row.headSeq, maxReplayed);
  const window = { projectId, threadUid: row.uid, after: 0, through, also: [] };
  const entries = (await readEntries(rt.store.query, window)).map(entryOf);
  await setImmediate();
  const { all: instructions } = await readInstructionsNow(rt, row);
  // The messages keep the sizes they were counted with, so the system prompt does too.
  const thread = { entries, instructions, systemTokens: current.systemTokens };
  return {
    messages: row.headSeq,
    replayed: entries.length,
    current: await replay(thread, current),
    draft: await replay(thread, draft),
    notSimulated: notSimulated(current.policy, draft.policy),
  };
}

interface ReplayedThread {
  entries: readonly Entry[];
  instructions: readonly InstructionWithState[];
  systemTokens: number;
}

async function replay(
  { entries, instructions, systemTokens }: ReplayedThread,
  settings: ThreadSettings,
): Promise<SimulatedRun> {
  const { policy, budget, counter } = settings;
  const steps = simulate({
    policy,
    budget,
    counter,
    systemTokens,
    // Numbered anew: the simulation counts messages, and after a rewind seqs have gaps.
    entries: entries.map((entry, i) => ({ ...entry, seq: i + 1 })),
    ...instructionRoom(instructions, settings),
  });
  const { compactions, fill, ...rest } = await runInTurns(steps);
  const seqOf = (position: number): number => entries[position - 1]!.seq;
  return {
    ...rest,
    compactions: compactions.map((one) => ({
      ...one,
      atSeq: seqOf(one.atSeq),
      fromSeq: seqOf(one.fromSeq),
      toSeq: seqOf(one.toSeq),
    })),
    fill: fill.map(({ seq, tokens }) => ({ seq: seqOf(seq), tokens })),
    budget,
  };
}

/** Runs a generator to its end, and yields to the event loop in between. */
async function runInTurns<T>(steps: Generator<void, T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < turnMs) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** Keys that the simulation covers; a change of any other key is only named. */
const followed: { [G in keyof Policy]: readonly (keyof Policy[G])[] } = {
  context: [
    'context_window',
    'trigger_tokens',
    'trigger_ratio',
    'reserve_ratio',
    'keep_recent_turns',
    'response_reserve',
    'max_images',
    'keep_tool_results',
    'min_reclaim_ratio',
  ],
  summary: ['enabled', 'max_tokens'],
  outputs: [],
  chat: [],
};

function notSimulated(current: Policy, draft: Policy): string[] {
  return (Object.keys(followed) as (keyof Policy)[]).flatMap((group) => {
    const [before, after] = [
      current[group] as Record<string, unknown>,
      draft[group] as Record<string, unknown>,
    ];
    const covered: readonly string[] = followed[group];
    return Object.keys(after)
      .filter((key) => !covered.includes(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => `${group}.${key}`);
  });
}
