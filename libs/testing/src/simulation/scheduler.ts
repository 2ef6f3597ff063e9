import { SpillwayError } from '@spillway/engine';
import { isUniqueViolation } from '@spillway/store';
import type { Chance } from './chance.js';
import type { Clock } from './clock.js';
import type { Faults } from './faults.js';
import type { Ask } from './memory/memory-store.js';
import type { SimulatedProcess } from './process.js';

interface Pending {
  process: SimulatedProcess;
  ask: Ask;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

const lost = (): SpillwayError => new SpillwayError('database_unavailable', 'The connection was lost.');
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Every ready promise has continued when the event loop comes round again. `Grouped` may settle a request at the end of
 * that turn, and sends what follows at the end of the next: it has been sent when the loop comes round once more.
 */
async function settled(): Promise<void> {
  await nextTurn();
  await nextTurn();
  await nextTurn();
}

/** Nobody hears that the database refuses a second message under an id. */
function performUnheard(ask: Ask): void {
  try {
    ask.perform();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}

/** Requests wait here; one is answered at a time, in random order. */
export class Scheduler {
  private pending: Pending[] = [];
  /** A hash of everything that happened: two runs of one seed have the same. */
  trace = 0;

  constructor(
    private readonly clock: Clock,
    private readonly chance: Chance,
  ) {}

  ask(process: SimulatedProcess, ask: Ask): Promise<unknown> {
    if (!process.alive) return new Promise(() => undefined);
    return new Promise((resolve, reject) => this.pending.push({ process, ask, resolve, reject }));
  }

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  note(what: string): void {
    for (let i = 0; i < what.length; i++) this.trace = (Math.imul(this.trace, 31) + what.charCodeAt(i)) | 0;
  }

  /** A process is gone. Its last request may still have reached the database. */
  drop(process: SimulatedProcess): void {
    const own = this.pending.filter((one) => one.process === process);
    this.pending = this.pending.filter((one) => one.process !== process);
    for (const { ask } of own)
      if (ask.outlives && ask.isReady() && this.chance.happens(0.5)) performUnheard(ask);
  }

  /** Answers one request that is ready. False when there is none. */
  async answerOne(faults: Faults): Promise<boolean> {
    const at = this.pickReady();
    if (at < 0) return false;
    const one = this.pending[at]!;
    this.pending[at] = this.pending.at(-1)!;
    this.pending.pop();
    this.clock.owner = one.process;
    this.note(one.process.name + one.ask.name);
    this.answer(one, faults);
    await settled();
    return true;
  }

  /** Lets code continue that was started without a request. */
  async settle(): Promise<void> {
    await settled();
  }

  private answer({ ask, resolve, reject }: Pending, faults: Faults): void {
    const isData = !ask.isOfModel;
    if (isData && this.chance.happens(faults.lostQuestion)) {
      reject(lost());
      return;
    }
    try {
      const answer = ask.perform();
      if (isData && this.chance.happens(faults.lostAnswer)) reject(lost());
      else resolve(answer);
    } catch (error) {
      reject(error);
    }
  }

  private pickReady(): number {
    const { length } = this.pending;
    const start = this.chance.below(Math.max(1, length));
    for (let i = 0; i < length; i++) {
      const at = (start + i) % length;
      const { process, ask } = this.pending[at]!;
      if (process.pausedUntil <= this.clock.now && ask.isReady()) return at;
    }
    return -1;
  }
}
