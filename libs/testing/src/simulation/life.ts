import type { ThreadTable } from './memory/rows.js';
import { stateOfRow } from './memory/thread-row-of.js';
import { checkCalibration } from './checks/calibration.js';
import { checkNoWordsWait } from './checks/callers-words.js';
import { checkThread } from './checks/thread-checks.js';
import { faultsOf, noFaults } from './faults.js';
import { takeOver } from './take-over.js';
import { promise } from './violation.js';
import { Journal } from './workload/journal.js';
import { startOne, workOn } from './workload/activities.js';
import { leaseMs, World } from './world.js';

const projects = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const threadsAtOnce = 6;
const maxThreadLength = 160;
const maxConcurrent = 14;
/** Steps within which everything has settled once nothing fails any more. */
const settledWithin = 20_000;

export interface LifeReport {
  steps: number;
  trace: number;
  compactions: number;
  messages: number;
  /** How compaction attempts ended, and how many of each; parked ones by their reason. */
  outcomes: Record<string, number>;
}

/** One run: a seed gives its workload, its faults and the order in which everything happens. Throws `Violation`. */
export async function live(seed: bigint, steps: number): Promise<LifeReport> {
  const world = new World(seed);
  const { chance, clock, tables } = world;
  const giveBack = takeOver(clock, chance);
  try {
    for (const id of projects) tables.projects.set(id, { id, settingsVersion: 1, policy: '{}' });
    await world.open(['api', 'api', 'worker', 'worker', 'worker']);
    world.faults = faultsOf(chance.random(), chance.happens(0.25));
    for (let i = 0; i < steps; i++) await step(world);
    const quiet = await calmDown(world);
    for (const journal of world.journals) journal.check(tables.find(journal.projectId, journal.threadId));
    return report(world, steps + quiet);
  } finally {
    giveBack();
  }
}

async function step(world: World): Promise<void> {
  const { chance, clock, faults, hints } = world;
  misfortune(world);
  if (chance.happens(faults.forgottenHints)) hints.forget();
  if (world.busy < maxConcurrent && chance.happens(0.25)) {
    startOne(world, journalOf(world));
    await world.scheduler.settle();
  }
  const answered = await world.scheduler.answerOne(faults);
  clock.advance(chance.below(answered ? 25 : 300), world.isRunning);
  check(world);
}

function misfortune(world: World): void {
  const { chance, clock, faults } = world;
  if (chance.happens(faults.death)) world.kill(world.any());
  if (chance.happens(faults.drain)) world.drain(world.any());
  if (chance.happens(faults.pause)) world.any().pausedUntil = clock.now + chance.below(3 * leaseMs);
  if (chance.happens(faults.jump)) clock.advance(chance.below(400_000), world.isRunning);
}

/** A thread to do something with: one of a few, or a new one once those are long or erased. */
function journalOf({ chance, journals, tables, showsImages }: World): Journal {
  const open = journals.slice(-threadsAtOnce);
  const journal = open.length < threadsAtOnce ? undefined : chance.pick(open);
  const table = journal && tables.find(journal.projectId, journal.threadId);
  const isOver = table && (table.row.deletedAt !== null || table.messages.length > maxThreadLength);
  if (journal && !(isOver && chance.happens(0.2))) return journal;
  const made = new Journal(chance, chance.pick(projects), `t${journals.length + 1}`, showsImages);
  journals.push(made);
  return made;
}

function check({ tables, journals, counter, broken }: World): void {
  if (broken) throw broken as Error;
  for (const thread of tables.touched) {
    checkThread(thread, tables, counter);
    const journal = journals.find(({ threadId }) => threadId === thread.row.id);
    if (journal) checkCalibration(thread.row, journal.trueRatio);
  }
  tables.touched.clear();
}

/** Without faults and requests every thread becomes idle or parked. Returns the steps it took. */
async function calmDown(world: World): Promise<number> {
  const { chance, clock, tables, scheduler } = world;
  world.faults = noFaults;
  world.wake();
  for (let i = 1; i <= settledWithin; i++) {
    const restless = [...tables.threads()].filter(
      ({ row }) =>
        row.deletedAt === null &&
        // A proposal waits for a person.
        row.preparedState !== 'proposed' &&
        !['idle', 'parked'].includes(stateOfRow(clock.now, row)),
    );
    if (restless.length === 0 && scheduler.isEmpty && world.busy === 0) {
      for (const thread of tables.threads()) checkNoWordsWait(thread);
      return i;
    }
    if (world.busy < maxConcurrent && chance.happens(0.1)) workOn(world);
    await scheduler.settle();
    const answered = await scheduler.answerOne(world.faults);
    clock.advance(answered ? chance.below(25) : 2_000, world.isRunning);
    check(world);
  }
  const left = [...tables.threads()].filter(
    ({ row }) => row.deletedAt === null && !['idle', 'parked'].includes(stateOfRow(clock.now, row)),
  );
  const label = left.map(({ row }) => `${row.id} is ${stateOfRow(clock.now, row)}`).join(', ');
  promise(false, () => `after ${settledWithin} quiet steps ${label}; ${world.busy} use cases still run`);
  return settledWithin;
}

function report(world: World, steps: number): LifeReport {
  const threads = [...world.tables.threads()];
  return {
    steps,
    trace: world.scheduler.trace,
    compactions: threads.reduce((sum, { row }) => sum + row.lastGeneration, 0),
    messages: threads.reduce((sum, { row }) => sum + row.nextSeq - 1, 0),
    outcomes: outcomesOf(threads),
  };
}

function outcomesOf(threads: readonly ThreadTable[]): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const { outcome, reason } of threads.flatMap((thread) => thread.attempts)) {
    const label = outcome === 'parked' ? `parked: ${reason}` : (outcome ?? 'unfinished');
    outcomes[label] = (outcomes[label] ?? 0) + 1;
  }
  return outcomes;
}
