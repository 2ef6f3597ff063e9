import { expect, test } from 'vitest';
import { traceCollector } from './trace-collector.js';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const ofTraces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/v1/traces' };

test.each([
  ['no variable', {}, null],
  ['an endpoint', endpoint, 'http://collector:4318'],
  ['one for traces alone', { ...endpoint, ...ofTraces }, 'http://traces:4318/v1/traces'],
  ['an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
  ['an SDK that is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }, null],
  ['an exporter of none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, null],
])('with %s traces go where the variables say', (_, variables, expected) => {
  expect(traceCollector(variables)).toBe(expected);
});
