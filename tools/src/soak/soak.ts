import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder, type Teardown } from '@spillway/embedded';
import {
  checkRun,
  openJournal,
  randomOf,
  readJournal,
  rowsOf,
  startLoad,
  sweepNow,
  untilQuiet,
  type LoadStats,
  type Violation,
} from '@spillway/testing';
import { faultOrder, faults } from './faults.js';
import { growthOf, type Growth } from './growth.js';
import type { SoakOptions } from './options.js';
import { standstill, undrained, unrecovered } from './recovery.js';
import { startSampling } from './samples.js';
import { makeWorld, type World } from './world.js';

/** Fault windows with a margin, in which latencies say nothing about a healthy service. */
export interface FaultWindow {
  name: string;
  from: number;
  to: number;
}

export interface Soaked {
  stats: LoadStats;
  windows: FaultWindow[];
  violations: Violation[];
  /** Processes that died or did not stop, faults that could not be repaired, or a backlog at the end. */
  troubles: string[];
  growth: Growth[];
  parked: { reason: string; threads: number }[];
  modelCalls: number;
}

const betweenFaultsMs = 20_000;
const aftermathMs = 5_000;
const quietWithinMs = 420_000;
const maxThreadsPerProject = 40;
/** Bounds the threads, so that each one is compacted even in a short or slow run. */
const messagesPerThread = 60;

/** Posts for the given time, injects a fault every 20 s, waits until idle, and runs all checks. */
export async function soak(
  { minutes, rate, seed }: SoakOptions,
  { signal, say }: { signal: AbortSignal; say: (line: string) => void },
  teardown: Teardown,
): Promise<Soaked> {
  const random = randomOf(seed);
  const folder = await temporaryFolder();
  teardown.add('the journal', () => folder.remove());
  const world = await makeWorld(teardown);
  const path = join(folder.path, 'journal.jsonl');
  const journal = await openJournal(path);
  const { stack, projects } = world;
  const enough = Math.ceil((minutes * 60 * rate) / messagesPerThread / projects.length);
  const threadsPerProject = Math.min(maxThreadsPerProject, enough);
  const load = startLoad({
    apis: stack.apis.map((api) => api.url),
    ...{ projects, threadsPerProject, random: randomOf(seed + 1), journal, messagesPerSecond: rate },
  });
  const stopSampling = startSampling(world, 5_000);
  teardown.add('sampling', async () => void (await stopSampling()));

  const { windows, troubles } = await breakThings(world, Date.now() + minutes * 60_000, random, signal, say);
  say('Posting ends; waiting for every answer and for quiet.');
  await load.stop();
  await journal.close();
  await untilQuiet(stack.databaseUrl, quietWithinMs).catch((error: unknown) => troubles.push(String(error)));
  troubles.push(...(await undrained(world)));
  const samples = await stopSampling();
  // Sweeps remove remains of killed processes after a day; here at once.
  await sweepNow(stack);
  const violations = await checkRun({
    databaseUrl: stack.databaseUrl,
    outputsFolder: stack.outputsFolder,
    journals: [await readJournal(path)],
    modelCalls: world.modelCalls(),
  });
  const parked = await rowsOf<{ reason: string; threads: number }>(
    stack.databaseUrl,
    `SELECT park_reason AS reason, count(*)::int AS threads FROM threads WHERE park_reason IS NOT NULL GROUP BY 1`,
  );
  for (const app of [...stack.apis, ...stack.workers]) world.expectEnd(app);
  return {
    ...{ stats: load.stats, windows, violations, parked, modelCalls: world.modelCalls() },
    troubles: [...troubles, ...standstill(samples), ...world.deaths],
    growth: growthOf(samples),
  };
}

async function breakThings(
  world: World,
  until: number,
  random: ReturnType<typeof randomOf>,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Pick<Soaked, 'windows' | 'troubles'>> {
  const windows: FaultWindow[] = [];
  const troubles: string[] = [];
  const order = faultOrder(random);
  for (let next = Date.now() + betweenFaultsMs; next < until; next += betweenFaultsMs) {
    await sleep(Math.max(0, next - Date.now()), undefined, { signal });
    const name = order.next().value;
    const from = Date.now();
    say(`${new Date(from).toISOString().slice(11, 19)}  ${name}`);
    await faults[name]!(world, random).catch((error: unknown) =>
      troubles.push(`${name} could not be mended: ${String(error)}`),
    );
    troubles.push(...(await unrecovered(world, name)));
    windows.push({ name, from, to: Date.now() + aftermathMs });
  }
  await sleep(Math.max(0, until - Date.now()), undefined, { signal });
  return { windows, troubles };
}
