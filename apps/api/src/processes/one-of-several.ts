import { reportMetrics, textOfReports, type MetricsReport, type Runtime } from '@spillway/service';
import type { ToProcess, ToSupervisor } from './messages.js';

/** How often a process reports what it counted: a process that is killed loses the counts of this time. */
const reportMs = 5_000;
/** Longer than the supervisor waits for the processes. */
const maxWaitMs = 5_000;

/** This process as one of several of an API. */
export interface OneOfSeveral {
  /** The metrics of all of them, in the text format of Prometheus. */
  scrape: () => Promise<string>;
  /** Reports the last counts, before the process ends. */
  stop: () => Promise<void>;
}

/** Answers the supervisor. */
export function oneOfSeveral(rt: Runtime): OneOfSeveral {
  const waiting = new Map<number, (reports: MetricsReport[]) => void>();
  let requests = 0;

  process.on('message', (message: ToProcess) => {
    if (message.kind === 'gathered') waiting.get(message.request)?.(message.reports);
    else
      void reportMetrics(rt).then((metrics) => send({ kind: 'report', metrics, request: message.request }));
  });
  const reportCounts = async () => send({ kind: 'report', metrics: await rt.metrics.report() });
  const timer = setInterval(() => void reportCounts(), reportMs).unref();

  return {
    async scrape() {
      const request = ++requests;
      const reports = await new Promise<MetricsReport[]>((resolve, reject) => {
        const late = new Error('The supervisor of the processes did not answer a scrape in time.');
        const timeout = setTimeout(() => reject(late), maxWaitMs);
        waiting.set(request, (gathered) => {
          clearTimeout(timeout);
          resolve(gathered);
        });
        send({ kind: 'gather', request }).catch(reject);
      }).finally(() => waiting.delete(request));
      return textOfReports(reports);
    },
    async stop() {
      clearInterval(timer);
      await reportCounts();
    },
  };
}

/** Resolves when the message is on its way. */
const send = (message: ToSupervisor): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send!(message, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
