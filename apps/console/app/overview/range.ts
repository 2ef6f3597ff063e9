const hour = 3_600_000;

/** The ranges of the overview, by query parameter. */
export const ranges = {
  '24h': { label: '24 h', words: 'the last 24 hours', ms: 24 * hour, bucket: 'hour' },
  '7d': { label: '7 d', words: 'the last 7 days', ms: 7 * 24 * hour, bucket: 'day' },
  '30d': { label: '30 d', words: 'the last 30 days', ms: 30 * 24 * hour, bucket: 'day' },
} as const;

export type Range = keyof typeof ranges;

const isRange = (name: string): name is Range => Object.hasOwn(ranges, name);

export const rangeOf = (asked: string | null): Range => (asked !== null && isRange(asked) ? asked : '24h');

/** The range as the API's query. Its last bucket contains `now`. */
export function usageQuery(range: Range, now: number) {
  const { ms, bucket } = ranges[range];
  const length = bucket === 'hour' ? hour : 24 * hour;
  // Whole buckets with the current one: 24 hours and not 25.
  const from = Math.floor(now / length) * length + length - ms;
  return { from: new Date(from).toISOString(), bucket };
}

/** The axis label of a bucket: its hour or day in UTC, as in the API. */
export const bucketName = (at: string, bucket: 'hour' | 'day'): string =>
  bucket === 'hour' ? at.slice(11, 16) : dayName.format(new Date(at));

const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
