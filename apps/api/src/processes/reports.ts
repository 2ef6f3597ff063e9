import type { MetricsReport } from '@spillway/service';
import type { Worker } from 'node:cluster';
import { CountsOfEnded, countsOf } from './counts.js';
import type { ToProcess, ToSupervisor } from './messages.js';
import { ownReport } from './own-report.js';

/** A process whose event loop is blocked answers late. Its own scrape waits a second for Postgres. */
const maxWaitMs = 2_500;

interface Reporter {
  worker: Worker;
  /** The newest report: what remains of a process that is killed. */
  latest: MetricsReport;
}

/** The metrics of all processes of an API, those that ended included. */
export class Reports {
  private readonly reporters = new Map<number, Reporter>();
  private readonly ended = new CountsOfEnded();
  /** Answers that are waited for, by the number of their request. */
  private readonly answers = new Map<number, (metrics: MetricsReport | null) => void>();
  private requests = 0;
  private restarts = 0;

  /** A process is started in place of one that ended. */
  startedAgain(): void {
    this.restarts++;
  }

  began(worker: Worker): void {
    const reporter: Reporter = { worker, latest: [] };
    this.reporters.set(worker.id, reporter);
    worker.on('message', (message: ToSupervisor) => {
      if (message.kind === 'gather') {
        void this.gather().then((reports) =>
          send(worker, { kind: 'gathered', request: message.request, reports }),
        );
        return;
      }
      reporter.latest = message.metrics;
      if (message.request !== undefined) this.answers.get(message.request)?.(message.metrics);
    });
  }

  /** Keeps what a process counted that is gone. */
  gone(worker: Worker): void {
    const reporter = this.reporters.get(worker.id);
    this.reporters.delete(worker.id);
    if (reporter) this.ended.add(reporter.latest);
  }

  private async gather(): Promise<MetricsReport[]> {
    const reporters = [...this.reporters.values()];
    const answers = await Promise.all(reporters.map(({ worker }) => this.ask(worker)));
    const reports = reporters.map(({ worker, latest }, i) => {
      // What it counted is among the ended ones by now.
      if (!this.reporters.has(worker.id)) return [];
      return answers[i] ?? countsOf(latest);
    });
    // Of a metric in several reports the first text says what it is: that of the processes, which have the catalogue.
    return [...reports, this.ended.report(), ownReport(this.restarts)];
  }

  /** The report of a process; null when it is late or gone. */
  private ask(worker: Worker): Promise<MetricsReport | null> {
    const request = ++this.requests;
    return new Promise<MetricsReport | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), maxWaitMs);
      this.answers.set(request, (metrics) => {
        clearTimeout(timer);
        resolve(metrics);
      });
      send(worker, { kind: 'report', request }, () => this.answers.get(request)?.(null));
    }).finally(() => this.answers.delete(request));
  }
}

/** Sends to a process that may be gone: then it gets nothing, and its end is reported by its exit. */
function send(worker: Worker, message: ToProcess, isGone: () => void = () => undefined): void {
  if (!worker.isConnected()) return isGone();
  worker.send(message, (error) => {
    if (error) isGone();
  });
}
