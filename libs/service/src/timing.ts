import { schedule, type Schedule } from '@spillway/jobs';
import { providerWaits, type ProviderWaits } from '@spillway/llm';

/** Cache times, intervals and delays of this process. Request timeouts are not here. */
export interface Timing {
  /** How soon a revoked key or an ended session stops working. */
  keyTrustMs: number;
  /** How soon an open connection ends after its key was revoked or its session ended. */
  streamCallersMs: number;
  /** How often media of a backup that is arriving are reserved again: no row uses them, and a sweep waits for an hour. */
  keepArrivedMs: number;
  /** After what time a download ends whose client takes nothing. */
  stalledDownloadMs: number;
  /** How often a process tries whether the storage of outputs takes writes. */
  storageCheckMs: number;
  /** How soon counted usage is written to Postgres. */
  usageMs: number;
  /** Delays after a failed attempt: the first one, which doubles, and the maximum. */
  failedAttempt: { firstMs: number; maxMs: number };
  /** Until a fold that could not be prepared ahead because of an outage is tried again. */
  prepareAgainMs: number;
  /** Until one is tried again whose model gave no usable answer. A thread that goes on reaches its trigger before. */
  prepareAnewMs: number;
  provider: ProviderWaits;
  /** Delay after the nth failure of a webhook delivery: two days in total. */
  webhookRetriesMs: readonly number[];
  /** Interval of each repeated job. */
  jobs: Schedule;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const productionTiming: Timing = {
  keyTrustMs: 5 * second,
  streamCallersMs: 3 * second,
  keepArrivedMs: 10 * minute,
  stalledDownloadMs: minute,
  storageCheckMs: 30 * second,
  usageMs: 3 * second,
  failedAttempt: { firstMs: 2 * second, maxMs: 5 * minute },
  prepareAgainMs: 5 * minute,
  prepareAnewMs: 30 * 24 * hour,
  provider: providerWaits,
  webhookRetriesMs: [
    ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
    ...[hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour, 12 * hour, 12 * hour],
  ],
  jobs: schedule,
};

/** All of `timing` divided, so that tests wait less. */
export const fasterTiming = (timing: Timing, divisor: number): Timing =>
  JSON.parse(JSON.stringify(timing), (_, value: unknown) =>
    typeof value === 'number' ? Math.ceil(value / divisor) : value,
  ) as Timing;
