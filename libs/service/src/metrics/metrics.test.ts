import { expect, test } from 'vitest';
import { Metrics } from './metrics.js';

test('a value that the catalogue does not list is counted as other, so no series can be added from outside', async () => {
  const metrics = new Metrics();
  for (let i = 0; i < 1_000; i++)
    metrics.add('spillway_webhook_deliveries_total', { outcome: `made-up-${i}` });
  const lines = (await metrics.text()).split('\n').filter((line) => /^spillway_webhook/.test(line));
  expect(lines).toHaveLength(4);
  expect(lines).toContain('spillway_webhook_deliveries_total{outcome="other"} 1000');
});

test('counters of few series begin at 0, gauges have no series before their first value', async () => {
  const metrics = new Metrics();
  const samples = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
  expect(await samples('spillway_sweeps_total{')).toHaveLength(6);
  expect(await samples('spillway_compactions_running')).toEqual([]);
  metrics.set('spillway_compactions_running', {}, 2);
  expect(await samples('spillway_compactions_running')).toEqual(['spillway_compactions_running 2']);
  metrics.forget('spillway_compactions_running');
  expect(await samples('spillway_compactions_running')).toEqual([]);
});

test('a counter takes what it cannot count for nothing: no use case fails by its metric', async () => {
  const metrics = new Metrics();
  const add = (by: number) => metrics.add('spillway_context_tokens_total', { kind: 'not_sent' }, by);
  for (const by of [5, -3, 0, NaN, Infinity, 2]) add(by);
  const line = (await metrics.text())
    .split('\n')
    .find((one) => /^spillway_context_tokens_total.*not_sent/.test(one));
  expect(line).toMatch(/ 7$/);
});
