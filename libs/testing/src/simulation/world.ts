import { loadCounter, SpillwayError, type ErrorCode, type MessageCounter } from '@spillway/engine';
import type { Runtime } from '@spillway/service';
import { Chance } from './chance.js';
import { Clock } from './clock.js';
import { noFaults, type Faults } from './faults.js';
import { HintsInMemory } from './hints-in-memory.js';
import { Tables } from './memory/tables.js';
import { simulatedModel } from './model.js';
import { SimulatedProcess } from './process.js';
import { Scheduler } from './scheduler.js';
import type { Journal } from './workload/journal.js';

/** Leases are short compared with a step, so that many expire. */
export const leaseMs = 1_500;

/** Small windows, so that a thread is compacted after a dozen messages. An image exceeds one of them. */
const smallWindows = [1_200, 1_600, 2_400];
const windowsForImages = [10_000, 12_000, 16_000];

const policyIn = (context_window: number) => ({
  context: {
    context_window,
    response_reserve: 200,
    trigger_ratio: 0.6,
    prepare_ratio: 0.45,
    idle_ms: 60_000,
    counter: 'estimate' as const,
  },
  summary: { provider: 'openai' as const, max_tokens: 300, timeout_ms: 20_000 },
});

export type ProcessKind = 'api' | 'worker';

/** The world of one run: a database, hints, processes, a clock and randomness. */
export class World {
  readonly clock = new Clock();
  readonly chance: Chance;
  readonly tables = new Tables(() => this.clock.now);
  readonly scheduler: Scheduler;
  readonly hints: HintsInMemory;
  readonly journals: Journal[] = [];
  counter!: MessageCounter;
  faults: Faults = noFaults;
  /** In half of all lives. */
  readonly policyChanges: boolean;
  /** In a quarter of all lives. Uses its own random source, so that the other lives stay the same. */
  readonly showsImages: boolean;
  /** Context windows of threads; the first is the one of the server's policy. */
  readonly windows: readonly number[];
  /** The first violated promise. */
  broken: unknown;
  private readonly processes: SimulatedProcess[] = [];
  private started = 0;

  constructor(seed: bigint) {
    this.chance = new Chance(seed);
    this.policyChanges = this.chance.happens(0.5);
    this.showsImages = new Chance(~seed).happens(0.25);
    this.windows = this.showsImages ? windowsForImages : smallWindows;
    this.scheduler = new Scheduler(this.clock, this.chance);
    this.hints = new HintsInMemory(this.chance, () => this.faults);
  }

  async open(kinds: readonly ProcessKind[]): Promise<void> {
    this.counter = { text: await loadCounter('estimate'), perMessage: 4 };
    for (const kind of kinds) this.processes.push(this.start(kind));
  }

  private start(kind: ProcessKind): SimulatedProcess {
    return new SimulatedProcess(`${kind}-${++this.started}`, {
      tables: this.tables,
      policy: policyIn(this.windows[0]!),
      leaseMs,
      hints: this.hints.hints,
      ask: (process, ask) => this.scheduler.ask(process, ask),
      model: (gate) =>
        simulatedModel({ clock: this.clock, chance: this.chance, faults: () => this.faults }, gate),
      onDefect: (error) => this.judge(error, []),
    });
  }

  isRunning = (owner: object): boolean =>
    owner instanceof SimulatedProcess && owner.alive && owner.pausedUntil <= this.clock.now;

  /** Calls a use case in a process of that kind. `refusals` are its allowed errors besides outages. */
  run(
    kind: ProcessKind,
    name: string,
    refusals: readonly ErrorCode[],
    use: (rt: Runtime, process: SimulatedProcess) => Promise<unknown>,
  ): void {
    const those = this.processes.filter((process) => process.name.startsWith(kind));
    const process = this.chance.pick(those);
    this.clock.owner = process;
    this.scheduler.note(name + process.name);
    process.busy++;
    use(process.rt, process)
      .catch((error: unknown) => this.judge(error, refusals))
      .finally(() => process.busy--)
      .catch((error: unknown) => (this.broken ??= error));
  }

  get busy(): number {
    return this.processes.reduce((sum, process) => sum + process.busy, 0);
  }

  /** Outages, busy threads and expected refusals are valid answers. */
  private judge(error: unknown, refusals: readonly ErrorCode[]): void {
    const expected: readonly ErrorCode[] = ['database_unavailable', 'thread_busy', ...refusals];
    if (!(error instanceof SpillwayError) || !expected.includes(error.code)) this.broken ??= error;
  }

  any(): SimulatedProcess {
    return this.chance.pick(this.processes);
  }

  /** The process crashes; another one replaces it. */
  kill(process: SimulatedProcess): void {
    this.scheduler.drop(process);
    process.die();
    this.clock.cancelAllOf(process);
    this.replace(process);
  }

  /** It takes no new work and finishes what it has. */
  drain(process: SimulatedProcess): void {
    process.drain();
    this.replace(process);
  }

  private replace(process: SimulatedProcess): void {
    const kind = process.name.startsWith('api') ? 'api' : 'worker';
    this.processes[this.processes.indexOf(process)] = this.start(kind);
  }

  /** Every paused process continues. */
  wake(): void {
    for (const process of this.processes) process.pausedUntil = 0;
  }
}
