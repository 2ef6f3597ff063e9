import { schedule, type Schedule } from '@spillway/jobs';
import { providerWaits, type ProviderWaits } from '@spillway/llm';

/** How long this process trusts, waits and leaves alone. Limits on the time of a request are not here. */
export interface Timing {
  /** A revoked key and an ended session stop working within this time. */
  keyTrustMs: number;
  /** A connection ends this long after its key was revoked or its session ended. */
  streamCallersMs: number;
  /** Usage that was counted reaches Postgres within this time. */
  usageMs: number;
  /** After an attempt that failed by itself: the first wait, which doubles, and the longest. */
  failedAttempt: { firstMs: number; maxMs: number };
  provider: ProviderWaits;
  /** How long after its nth failure a delivery to a webhook is tried again: for two days all in all. */
  webhookRetriesMs: readonly number[];
  /** How often each job that repeats does so. */
  jobs: Schedule;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const productionTiming: Timing = {
  keyTrustMs: 5 * second,
  streamCallersMs: 3 * second,
  usageMs: 3 * second,
  failedAttempt: { firstMs: 2 * second, maxMs: 5 * minute },
  provider: providerWaits,
  webhookRetriesMs: [
    ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
    ...[hour, 2 * hour, 4 * hour, 8 * hour, 8 * hour, 12 * hour, 12 * hour],
  ],
  jobs: schedule,
};

/** Every time of `timing` divided, so that a test which has to wait need not wait as long. */
export const fasterTiming = (timing: Timing, divisor: number): Timing =>
  JSON.parse(JSON.stringify(timing), (_, value: unknown) =>
    typeof value === 'number' ? Math.ceil(value / divisor) : value,
  ) as Timing;
