import { expect, test } from 'vitest';
import { unknownVariables } from './unknown-variables.js';

const known = [
  'DATABASE_URL',
  'SPILLWAY_HOST',
  'SPILLWAY_POOL',
  'SPILLWAY_CHAT_MODELS',
  'SPILLWAY_RATE_LIMIT',
];
const unknown = (...names: string[]) => unknownVariables(names, known);

test.each([
  ['SPILLWAY_CHAT_MODEL', 'SPILLWAY_CHAT_MODELS'],
  ['SPILLWAY_CHAT_MDOELS', 'SPILLWAY_CHAT_MODELS'],
  ['SPILLWAY_RATELIMITS', 'SPILLWAY_RATE_LIMIT'],
  ['SPILLWAY_POOLS', 'SPILLWAY_POOL'],
  ['SPILLWAY_HSOT', 'SPILLWAY_HOST'],
])('%s is %s, misspelt', (name, meant) => {
  expect(unknown(name)).toEqual({
    misspelt: [`${name} is not a variable of Spillway: ${meant} is`],
    ignored: [],
  });
});

test.each(['SPILLWAY_LLM_KEY', 'SPILLWAY_RATE', 'SPILLWAY_', 'SPILLWAY_TOAST'])('%s is ignored', (name) => {
  expect(unknown(name)).toEqual({ misspelt: [], ignored: [name] });
});

test.each([
  'SPILLWAY_POOL',
  'SPILLWAY_URL',
  'SPILLWAY_KEY',
  // Of a service named spillway or spillway-api, by Kubernetes and by links of Docker.
  'SPILLWAY_PORT',
  'SPILLWAY_SERVICE_HOST',
  'SPILLWAY_SERVICE_PORT_HTTP',
  'SPILLWAY_API_PORT_4000_TCP_ADDR',
  'DATABASE_URI',
  'spillway_pool',
])('%s is none of them', (name) => {
  expect(unknown(name)).toEqual({ misspelt: [], ignored: [] });
});
