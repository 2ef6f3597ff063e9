import cluster, { type Worker } from 'node:cluster';
import { pino, type Logger } from 'pino';
import type { ProcessSettings } from './process-settings.js';
import { Reports } from './reports.js';
import { RestartDelay } from './restart-delay.js';

/** A process that serves takes 25 s at most to stop; what is left then is killed. */
const stopWithinMs = 28_000;

/**
 * Runs several processes of the API on one port. It accepts connections and gives them to the processes in turn,
 * starts a process again that ended, and stops all of them together.
 */
export function supervise({ count, logLevel }: ProcessSettings): void {
  const log = pino({ name: 'api', level: logLevel in pino.levels.values ? logLevel : 'info' });
  new Supervisor(count, log).start();
}

class Supervisor {
  private readonly reports = new Reports();
  private readonly restarts = new Set<NodeJS.Timeout>();
  /** A process has listened, so the settings can work. */
  private hasServed = false;
  /** Set by a signal. */
  private stopping = false;
  private allEndedWell = true;

  constructor(
    private readonly count: number,
    private readonly log: Logger,
  ) {}

  /** The first process is alone until it listens: settings that cannot work end the program as if it was the only one. */
  start(): void {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    this.fork(new RestartDelay()).once('listening', () => {
      this.hasServed = true;
      for (let more = 1; more < this.count && !this.stopping; more++) this.fork(new RestartDelay());
      this.log.info({ processes: this.count }, 'API runs as several processes');
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.stop(signal));
  }

  private fork(delay: RestartDelay): Worker {
    const worker = cluster.fork();
    const started = performance.now();
    this.reports.began(worker);
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
      this.reports.gone(worker);
      if (this.stopping) return this.ended(code, signal);
      if (!this.hasServed) process.exit(code || 1);
      this.startAgain({ process: worker.process.pid, code, signal }, performance.now() - started, delay);
    });
    return worker;
  }

  private startAgain(ended: object, ranMs: number, delay: RestartDelay): void {
    const delayMs = delay.after(ranMs);
    this.log.error(
      { ...ended, ranMs: Math.round(ranMs), delayMs },
      'a process of the API ended; it is started again',
    );
    const timer = setTimeout(() => {
      this.restarts.delete(timer);
      this.reports.startedAgain();
      this.fork(delay);
    }, delayMs);
    this.restarts.add(timer);
  }

  private stop(signal: string): void {
    if (!this.stopping) {
      this.stopping = true;
      this.log.info({ signal }, 'stopping');
      for (const timer of this.restarts) clearTimeout(timer);
      setTimeout(() => {
        this.log.error('processes of the API did not stop in time; they are killed');
        for (const worker of workers()) worker.process.kill('SIGKILL');
        process.exit(1);
      }, stopWithinMs).unref();
    }
    // A second signal ends a process that is stopping at once.
    for (const worker of workers()) worker.process.kill('SIGTERM');
    if (workers().length === 0) process.exit(0);
  }

  private ended(code: number | null, signal: NodeJS.Signals | null): void {
    // A process that was still starting has no handlers of signals yet.
    this.allEndedWell &&= code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
    if (workers().every((worker) => worker.isDead())) process.exit(this.allEndedWell ? 0 : 1);
  }
}

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
