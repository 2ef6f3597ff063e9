/** A sample of a scrape: a name, its labels and a number. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scrape {
  text: string;
  samples: Sample[];
  /** Names in `# TYPE` lines, with their types. */
  types: Map<string, string>;
  /** The sum of the samples of that name that have these labels; undefined when there are none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

export const operatorPassword = 'correct-horse-battery-staple-0123456789';

export const operatorHeader = (password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`prometheus:${password}`).toString('base64')}`,
});

/** Scrapes a process as Prometheus does, and reads its text format. */
export async function scrape(url: string, password = operatorPassword): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`, { headers: operatorHeader(password) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return readScrape(text);
}

export function readScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type) types.set(type[1]!, type[2]!);
    const sample = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/i.exec(line);
    if (!sample || line.startsWith('#')) continue;
    const labels = [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    samples.push({
      name: sample[1]!,
      labels: Object.fromEntries(labels.map(([, name, value]) => [name!, value!])),
      value: sample[3] === '+Inf' ? Infinity : Number(sample[3]),
    });
  }
  return {
    text,
    samples,
    types,
    value(name, labels = {}) {
      const found = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

/** What some work added to a counter of one process. */
export async function added(
  look: () => Promise<Scrape>,
  work: () => Promise<unknown>,
): Promise<(name: string, labels?: Record<string, string>) => number> {
  const before = await look();
  await work();
  const after = await look();
  return (name, labels) => (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
}

/** Policy and messages of a thread that is compacted at once. */
export const small = {
  context: { context_window: 4_000, response_reserve: 400, min_reclaim_ratio: 0 },
  summary: { max_tokens: 400 },
};
export const talk = Array.from({ length: 40 }, (_, i) => ({
  role: i % 2 ? 'assistant' : 'user',
  content: `step ${i} `.repeat(50),
}));
