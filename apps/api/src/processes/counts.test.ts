import { Metrics } from '@spillway/service';
import { expect, test } from 'vitest';
import { CountsOfEnded } from './counts.js';

const counted = async (messages: number) => {
  const metrics = new Metrics();
  metrics.add('spillway_messages_recorded_total', {}, messages);
  metrics.set('spillway_http_requests_in_flight', {}, 5);
  const labels = { route: '/v1/threads', method: 'GET', status: '2xx' };
  for (let n = 0; n < messages; n++) metrics.observe('spillway_http_request_duration_seconds', labels, 0.02);
  return metrics.report();
};

test('what ended processes counted is added up by name and labels; their gauges are dropped', async () => {
  const ended = new CountsOfEnded();
  ended.add(await counted(3));
  ended.add(await counted(4));
  const report = ended.report();
  const samplesOf = (name: string) => report.find((metric) => metric.name === name)?.values;
  expect(samplesOf('spillway_messages_recorded_total')).toEqual([{ value: 7, labels: {} }]);
  expect(samplesOf('spillway_http_requests_in_flight')).toBeUndefined();
  const buckets = samplesOf('spillway_http_request_duration_seconds')!;
  const below = (le: number) => buckets.find(({ labels }) => (labels as { le?: number }).le === le)?.value;
  expect([below(0.01), below(0.025), below(10)]).toEqual([0, 7, 7]);
  const total = buckets.find(
    ({ metricName }) => metricName === 'spillway_http_request_duration_seconds_count',
  );
  expect(total?.value).toBe(7);
});
