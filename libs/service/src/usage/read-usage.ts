import { SpillwayError } from '@spillway/engine';
import {
  attemptsByBucket,
  countedByBucket,
  failuresByReason,
  notSentByModel,
  outputsByBucket,
  spentByModel,
} from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { savedMoney, type SavedMoney } from './saved-money.js';
import { usageNumbers, type UsageNumbers } from './usage-numbers.js';

export interface UsageQuery {
  projectId: string;
  from?: Date;
  to?: Date;
  bucket?: 'hour' | 'day';
}

export interface Usage {
  from: Date;
  to: Date;
  bucket: 'hour' | 'day';
  totals: UsageNumbers;
  series: ({ at: Date } & UsageNumbers)[];
  money: SavedMoney;
}

const lengths = { hour: 3_600_000, day: 86_400_000 };
/** Maximum of buckets: six weeks of hours, almost three years of days. */
const maxBuckets = 1_000;

/**
 * Usage of a project by hour or day in UTC. The range is widened to whole buckets, and missing buckets are 0. Throws
 * `invalid_request` for a range that is empty or too long.
 */
export async function readUsage(
  rt: Runtime,
  { projectId, bucket = 'hour', ...asked }: UsageQuery,
): Promise<Usage> {
  const length = lengths[bucket];
  const now = Date.now();
  const until = asked.to?.getTime() ?? now;
  const since = asked.from?.getTime() ?? until - (bucket === 'hour' ? 24 : 30) * length;
  const from = new Date(Math.floor(since / length) * length);
  const to = new Date(Math.ceil(until / length) * length);
  refuseBadRange(since, until, (to.getTime() - from.getTime()) / length);
  const range = { projectId, from, to, bucket };
  const { query } = rt.store;
  rt.settings.forget(projectId);
  const [counted, attempts, failures, outputs, notSent, spent, { prices }] = await Promise.all([
    countedByBucket(query, range),
    attemptsByBucket(query, range),
    failuresByReason(query, range),
    outputsByBucket(query, range),
    notSentByModel(query, range),
    spentByModel(query, range),
    rt.settings.project(projectId),
  ]);
  const numbersAt = (at: number | null): UsageNumbers =>
    usageNumbers(
      rowAt(counted, at),
      rowAt(attempts, at),
      rowAt(outputs, at),
      Object.fromEntries(
        failures.filter((row) => timeOf(row) === at).map(({ reason, count }) => [reason, count]),
      ),
    );
  const totals = numbersAt(null);
  const series = [];
  for (let at = from.getTime(); at < to.getTime(); at += length)
    series.push({ at: new Date(at), ...numbersAt(at) });
  return { from, to, bucket, totals, series, money: savedMoney(notSent, spent, prices) };
}

const timeOf = ({ at }: { at: Date | null }): number | null => at?.getTime() ?? null;
const rowAt = <Row extends { at: Date | null }>(rows: readonly Row[], at: number | null): Row | undefined =>
  rows.find((row) => timeOf(row) === at);

function refuseBadRange(since: number, until: number, buckets: number): void {
  if (since >= until) {
    throw new SpillwayError('invalid_request', 'The range is empty.', [
      { path: '/from', message: 'must be before /to' },
    ]);
  }
  if (buckets > maxBuckets) {
    throw new SpillwayError('invalid_request', `The range has ${buckets} buckets; at most ${maxBuckets}.`, [
      { path: '/from', message: `must be at most ${maxBuckets} buckets before /to` },
    ]);
  }
}
