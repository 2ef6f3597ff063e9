import type { Metric, Sample } from './samples.js';

export interface Growth {
  metric: Metric;
  start: number;
  end: number;
  /** Growth beyond noise and warm-up. */
  grew: boolean;
}

/** Tolerated growth of the last third over the first: a share and a constant. */
const allowed: Record<Metric, { share: number; plus: number }> = {
  apiMegabytes: { share: 0.25, plus: 60 },
  workerMegabytes: { share: 0.25, plus: 60 },
  descriptors: { share: 0.25, plus: 30 },
  connections: { share: 0.5, plus: 8 },
  redisKeys: { share: 0.5, plus: 200 },
  temporaryFiles: { share: 0, plus: 20 },
};

/** The medians of the first and the last third after the warm-up. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const third = Math.ceil(warm.length / 3);
  return (Object.keys(allowed) as Metric[]).map((metric) => {
    const of = (some: readonly Sample[]) => median(some.map((sample) => sample[metric]));
    const start = of(warm.slice(0, third));
    const end = of(warm.slice(-third));
    const { share, plus } = allowed[metric];
    return { metric, start, end, grew: end > start * (1 + share) + plus };
  });
}

function median(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)] ?? 0;
}
