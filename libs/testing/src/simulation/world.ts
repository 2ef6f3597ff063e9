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

/** Leases are short beside the time a step takes, so that many run out. */
export const leaseMs = 1_500;

/** Small windows, so that a thread is compacted after a dozen messages. An image takes more than one of these. */
const smallWindows = [1_200, 1_600, 2_400];
const windowsForImages = [10_000, 12_000, 16_000];

const policyIn = (context_window: number) => ({
  context: {
    context_window,
    response_reserve: 200,
    trigger_ratio: 0.6,
    counter: 'estimate' as const,
  },
  summary: { provider: 'openai' as const, max_tokens: 300, timeout_ms: 20_000 },
});

export type ProcessKind = 'api' | 'worker';

/** Everything there is in one run: a database, hints, processes, a clock and what is chance. */
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
  /** In a quarter of all lives. Of a chance of its own, so that the other lives stay what they were. */
  readonly showsImages: boolean;
  /** Context windows of threads; the first is the one of the server's policy. */
  readonly windows: readonly number[];
  /** The first promise that was seen broken. */
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

  /** Calls a use case in a process of that kind. `refusals` are what it may answer beside outages. */
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

  /** An outage and a busy thread are answers; so are the refusals that were to be expected. */
  private judge(error: unknown, refusals: readonly ErrorCode[]): void {
    const expected: readonly ErrorCode[] = ['database_unavailable', 'thread_busy', ...refusals];
    if (!(error instanceof SpillwayError) || !expected.includes(error.code)) this.broken ??= error;
  }

  any(): SimulatedProcess {
    return this.chance.pick(this.processes);
  }

  /** It is gone from one moment to the next; another is started in its place. */
  kill(process: SimulatedProcess): void {
    this.scheduler.drop(process);
    process.die();
    this.clock.cancelAllOf(process);
    this.replace(process);
  }

  /** It takes nothing on any more and ends what it has. */
  drain(process: SimulatedProcess): void {
    process.drain();
    this.replace(process);
  }

  private replace(process: SimulatedProcess): void {
    const kind = process.name.startsWith('api') ? 'api' : 'worker';
    this.processes[this.processes.indexOf(process)] = this.start(kind);
  }

  /** Every process gets its turns again. */
  wake(): void {
    for (const process of this.processes) process.pausedUntil = 0;
  }
}
