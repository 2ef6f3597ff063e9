import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyInput } from '@spillway/contracts';
import { afterAll, describe, expect, test } from 'vitest';
import { readEnv } from './env.js';

const folder = mkdtempSync(join(tmpdir(), 'env-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const fileOf = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const key = 'abcdefghijklmnopqrstuvwxyz012345';
const read = (set: Record<string, string>) =>
  readEnv({ DATABASE_URL: 'postgresql://localhost/spillway', ...set }, policyInput);

/** What a start with these settings prints, or null when it goes on. */
function problemsWith(set: Record<string, string>): string | null {
  try {
    read(set);
    return null;
  } catch (error) {
    expect((error as Error).name).toBe('EnvError');
    return (error as Error).message;
  }
}

test('a name that is nearly one of ours stops the start, and any other unknown one is reported', () => {
  expect(problemsWith({ SPILLWAY_CHAT_MODEL: 'gpt-4o-mini', SPILLWAY_POOL: 'many' })).toBe(
    'SPILLWAY_POOL must be a whole number from 1 to 500, and is "many"\n' +
      'SPILLWAY_CHAT_MODEL is not a variable of Spillway: SPILLWAY_CHAT_MODELS is',
  );
  expect(read({ SPILLWAY_LLM_KEY: 'sk', SPILLWAY_URL: 'http://localhost:4000' }).unknownVariables).toEqual([
    'SPILLWAY_LLM_KEY',
  ]);
});

describe('a setting that cannot work stops the start, with its name, its limits and its value', () => {
  test.each<[string, string, string | RegExp]>([
    ['DATABASE_URL', '', 'must be a postgresql:// URL'],
    ['REDIS_URL', 'localhost:6379', 'must be a redis:// URL'],
    ['API_PORT', '70000', 'must be a whole number from 0 to 65535, and is "70000"'],
    ['WORKER_PORT', 'tcp://10.0.0.1:4002', /^must be a whole number from 0 to 65535, and is "tcp:/],
    ['SPILLWAY_OUTPUTS', '/data/outputs', 'must be a file:// or s3:// URL'],
    ['SPILLWAY_OUTPUTS', 'file://data/outputs', /three slashes/],
    ['SPILLWAY_OUTPUTS', 's3:///prefix', 'must name a bucket: s3://bucket/prefix'],
    ['SPILLWAY_OUTPUTS', 's3://id:secret@bucket/prefix', /^must not contain keys/],
    ['SPILLWAY_OUTPUTS', 's3://minio:9000/bucket', /SPILLWAY_S3_ENDPOINT and AWS_REGION say where$/],
    ['SPILLWAY_OUTPUTS', 's3://bucket/prefix?region=eu-west-1', /AWS_REGION/],
    ['SPILLWAY_S3_ENDPOINT', 'minio:9000', 'must be an http:// or https:// URL'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nonsense', /^must be an http.* URL, as .*, and is "nonsense"$/],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318', /, and is "collector:4318"$/],
    ['SPILLWAY_BOOTSTRAP_KEY', 'short', 'must have at least 32 characters and has 5'],
    ['SPILLWAY_BOOTSTRAP_KEY', `${key} ${key}`, /a header can carry no other characters$/],
    ['SPILLWAY_BOOTSTRAP_KEY', key.repeat(7), 'must have at most 200 characters and has 224'],
    ['SPILLWAY_OPERATOR_PASSWORD', 'a'.repeat(32), /^must be random/],
    ['SPILLWAY_LLM_PROVIDER', 'opneai', /^must be one of extractive, .*, and is "opneai"$/],
    ['SPILLWAY_LLM_BASE_URL', 'localhost:11434', 'must be an http:// or https:// URL'],
    ['SPILLWAY_MODEL_CALLS_MIB', '0', 'must be a whole number from 1 to 1000000, and is "0"'],
    ['SPILLWAY_RATE_LIMIT', 'off', 'must be a whole number from 0 to 1000000, and is "off"'],
    ['SPILLWAY_POOL', '0', 'must be a whole number from 1 to 500, and is "0"'],
    ['SPILLWAY_WEBHOOK_HOSTS', 'http://receiver:8080', /without scheme and port/],
    ['SPILLWAY_TRUSTED_PROXIES', '10.0.0.0/33', /^must be IP addresses or networks/],
    ['LOG_LEVEL', 'INFO', /^must be one of fatal, .*, and is "INFO"$/],
  ])('%s=%s', (name, value, why) => {
    const problem = problemsWith({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} `));
    expect(problem!.slice(name.length + 1)).toMatch(why);
  });

  // Postgres takes them as integers of 32 bits: every claim or sweep would fail, and no process would end.
  test.each(['SPILLWAY_LEASE_MS', 'SPILLWAY_POLL_MS', 'SPILLWAY_GRACE_MS', 'SPILLWAY_ORPHAN_MS'])(
    '%s of more milliseconds than Postgres and a timer can take',
    (name) => expect(problemsWith({ [name]: '2592000000' })).toMatch(/^\S+ must be a whole number from/),
  );

  test('all that is wrong is said at one start', () => {
    const set = {
      API_PORT: 'x',
      SPILLWAY_SECRET_KEY: 'y',
      SPILLWAY_CONFIG: '/none',
      SPILLWAY_OUTPUTS: 's3://',
    };
    const names = problemsWith(set)!
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual(['API_PORT', 'SPILLWAY_OUTPUTS', 'SPILLWAY_SECRET_KEY', 'SPILLWAY_CONFIG']);
  });
});

test('a setting of white space is one that is not set', () => {
  const env = read({ API_PORT: ' ', SPILLWAY_RATE_LIMIT: '\n', REDIS_URL: ' ', LOG_LEVEL: '' });
  expect(env).toMatchObject({ apiPort: 4_000, rates: { requests: 2_000 }, redisUrl: null, logLevel: 'info' });
});

test('a line break behind a secret, as echo writes it, is no part of it', () => {
  const env = read({
    SPILLWAY_BOOTSTRAP_KEY: `${key}\n`,
    SPILLWAY_OPERATOR_PASSWORD: `${key}\n`,
    SPILLWAY_LLM_PROVIDER: 'anthropic',
    SPILLWAY_LLM_API_KEY: 'sk-1\n',
  });
  expect(env).toMatchObject({ bootstrapKey: key, operatorPassword: key, llm: { apiKey: 'sk-1' } });
});

describe('the keys of stored secrets', () => {
  test('come from a file, with commas or line breaks between', () => {
    const file = fileOf('keys', `${key}1,\n${key}2\n`);
    expect(read({ SPILLWAY_SECRET_KEY_FILE: file }).secretKeys).toEqual([`${key}1`, `${key}2`]);
  });

  test.each([
    ['an empty file', '\n', 'has no key.'],
    ['a weak key', 'short\n', 'must have at least 32 characters and has 5.'],
  ])('are not those of %s', (_, content, why) => {
    const file = fileOf('bad-keys', content);
    expect(problemsWith({ SPILLWAY_SECRET_KEY_FILE: file })).toBe(`SPILLWAY_SECRET_KEY_FILE ${file} ${why}`);
  });
});

describe('a model that could answer no call stops the start', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['without a key', { SPILLWAY_LLM_PROVIDER: 'openai' }, /^SPILLWAY_LLM_API_KEY must be set/],
    [
      'without an address',
      { SPILLWAY_LLM_PROVIDER: 'openai-compatible' },
      /^SPILLWAY_LLM_BASE_URL must be set/,
    ],
    [
      'without a provider',
      { SPILLWAY_LLM_API_KEY: 'sk-1' },
      /^SPILLWAY_LLM_PROVIDER is not set, so SPILLWAY_LLM_API_KEY has no effect/,
    ],
  ])('%s', (_, set, why) => expect(problemsWith(set)).toMatch(why));

  test('but not one behind a gateway that has the key, and not one that is turned off', () => {
    const gateway = { SPILLWAY_LLM_BASE_URL: 'http://gateway.internal/v1' };
    expect(problemsWith({ ...gateway, SPILLWAY_LLM_PROVIDER: 'openai' })).toBeNull();
    expect(read({ SPILLWAY_LLM_PROVIDER: 'extractive', SPILLWAY_LLM_API_KEY: 'sk-1' }).llm).toBeNull();
  });
});

describe('a policy file that could fold no thread stops the start', () => {
  test.each([
    ['summary: { provider: openai }', '/policy/summary/provider is not configured on this server'],
    ["summary: { template: '{nothing}' }", '/policy/summary/template names unknown fields: nothing'],
    ['context: { trigger_ratio: 0.2, reserve_ratio: 0.5 }', '/policy/context/reserve_ratio keeps'],
    [
      'context: { context_window: 8000, trigger_tokens: 1000, reserve_ratio: 0.5 }',
      '/policy/context/reserve_ratio keeps 4000 tokens',
    ],
  ])('%s', (policy, why) => {
    const file = fileOf('spillway.yaml', `policy: { ${policy} }\n`);
    expect(problemsWith({ SPILLWAY_CONFIG: file })).toContain(`SPILLWAY_CONFIG ${file}: ${why}`);
  });

  test('a trigger in tokens goes with the windows in which it works', () => {
    const file = fileOf(
      'spillway.yaml',
      'policy: { context: { trigger_tokens: 6000, reserve_ratio: 0.2 } }\n',
    );
    expect(problemsWith({ SPILLWAY_CONFIG: file })).toBeNull();
  });
});

test('a policy file is read from the working folder where no variable names a file', () => {
  const own = mkdtempSync(join(folder, 'own-'));
  const withRatio = (ratio: number) => `policy: { context: { trigger_ratio: ${ratio} } }\n`;
  const ratioWith = (set: Record<string, string>) =>
    readEnv({ DATABASE_URL: 'postgresql://localhost/spillway', ...set }, policyInput, own).policy.context;
  expect(ratioWith({})).toBeUndefined();
  writeFileSync(join(own, 'spillway.yaml'), withRatio(0.7));
  expect(ratioWith({})).toEqual({ trigger_ratio: 0.7 });
  expect(ratioWith({ SPILLWAY_CONFIG: fileOf('named.yaml', withRatio(0.6)) })).toEqual({
    trigger_ratio: 0.6,
  });
});
