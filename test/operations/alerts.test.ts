import { readFile } from 'node:fs/promises';
import { metricCatalogue, type MetricName, type MetricSpec } from '@spillway/service';
import { startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { operatorPassword, scrape, type Scrape } from './scrape.js';

let stack: Stack;
/** Names of all metrics of an API and a worker, by `# TYPE`. */
let scraped: Map<string, string>;
/** Of a worker that has just started. */
let ofWorker: Scrape;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword } });
  const [ofApi, ...ofWorkers] = await Promise.all(
    [stack.api, stack.workers[0]!].map(({ url }) => scrape(url)),
  );
  ofWorker = ofWorkers[0]!;
  scraped = new Map([...ofApi!.types, ...ofWorker.types]);
});
afterAll(() => stack?.stop());

const textOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

async function expressions(): Promise<string[]> {
  const alerts = parse(await textOf('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { expr: string }[] }[];
  };
  const dashboard = JSON.parse(await textOf('deploy/grafana/spillway.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
}

/** Names of metrics; with brackets behind it is a function of the database. */
const named = /\b(?:spillway|nodejs|process)_[a-z0-9_]+\b(?!\()/g;
/** Names of roles in Postgres, which the guide names as well. */
const databaseRoles = /\bspillway_(?:app|owner|runtime)\b/g;

/** The metric that a sample belongs to. */
const metricOf = (sample: string): string =>
  scraped.has(sample) ? sample : sample.replace(/_(bucket|count|sum)$/, '');

test('every metric that the dashboard, the alerts and the docs name is in a scrape of an API and a worker', async () => {
  const exprs = await expressions();
  expect(exprs.length).toBeGreaterThan(60);
  const guide = (await textOf('docs/operations/guide.md')).replace(databaseRoles, '');
  const docs = guide.match(named) ?? [];
  const names = new Set([...exprs.flatMap((expr) => expr.match(named) ?? []), ...docs].map(metricOf));
  expect([...names].filter((name) => !scraped.has(name))).toEqual([]);
  // A histogram has no sample of its own name, and only a histogram has buckets.
  for (const sample of new Set(exprs.flatMap((expr) => expr.match(named) ?? [])))
    expect(scraped.get(metricOf(sample)) === 'histogram', sample).toBe(sample !== metricOf(sample));
});

test('every metric of Spillway is on the dashboard', async () => {
  const shown = (await textOf('deploy/grafana/spillway.json')).match(named) ?? [];
  const known = new Set(shown.map(metricOf));
  const unknown = Object.keys(metricCatalogue).filter((name) => !known.has(name));
  expect(unknown).toEqual(['spillway_build_info']);
});

test('every label that the dashboard and the alerts select by exists, with that value', async () => {
  let selected = 0;
  for (const expr of await expressions()) {
    for (const [, name, selector] of expr.matchAll(/(spillway_\w+)\{((?:[^}"]|"[^"]*")*)\}/g)) {
      const { labels = {}, buckets = [] } = metricCatalogue[metricOf(name!) as MetricName] as MetricSpec;
      for (const [, label, , value] of selector!.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
        if (label === 'job') continue;
        selected++;
        const values = label === 'le' ? buckets.map(String) : labels[label!];
        expect(values, `${name} ${label}`).toBeDefined();
        if (typeof values !== 'string')
          for (const one of value!.split('|')) expect(values, expr).toContain(one);
      }
    }
  }
  expect(selected).toBeGreaterThan(10);
});

test('a worker that has just started has each series whose standstill is an alert', async () => {
  const { groups } = parse(await textOf('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { expr: string }[] }[];
  };
  const awaited = groups
    .flatMap(({ rules }) => rules.map(({ expr }) => expr))
    .flatMap((expr) => [...expr.matchAll(/increase\((spillway_\w+)\{(\w+)="(\w+)"\}\[\w+\]\)\) == 0/g)]);
  expect(awaited.length).toBeGreaterThan(1);
  for (const [, name, label, value] of awaited)
    expect(ofWorker.value(name!, { [label!]: value! }), `${name} ${value}`).toBeDefined();
});
