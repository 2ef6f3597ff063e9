import type { Schemas } from '@spillway/client';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { apiOf, startStack, type Api, type JsonMessage, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filler, settled, turns } from '../folding-thread.js';
import { toolCall, toolResult } from '../tool-calls.js';

type ProjectPolicy = Schemas['ProjectPolicy'];

let folder: TemporaryFolder;
let stack: Stack;
let api: Api;
beforeAll(async () => {
  folder = await temporaryFolder();
  const config = join(folder.path, 'spillway.yaml');
  await writeFile(
    config,
    'policy:\n  context:\n    reserve_ratio: 0.07\n  outputs:\n    threshold_tokens: 1234\n',
  );
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '300', SPILLWAY_CONFIG: config } });
  api = apiOf(stack);
});
afterAll(async () => {
  await stack?.stop();
  await folder?.remove();
});

interface Effective {
  effective: {
    context: Record<string, unknown>;
    outputs: Record<string, unknown>;
    summary: Record<string, unknown>;
  };
}

test('server defaults come from a YAML file, and a project wins over them', async () => {
  const server = await api.call<Effective>('GET', '/v1/policy');
  expect(server.body.effective).toMatchObject({
    context: { reserve_ratio: 0.07 },
    outputs: { threshold_tokens: 1234 },
  });
  await api.call('PUT', '/v1/policy', { outputs: { threshold_tokens: 3000 } });
  const project = await api.call<Effective>('GET', '/v1/policy');
  expect(project.body.effective).toMatchObject({
    context: { reserve_ratio: 0.07 },
    outputs: { threshold_tokens: 3000 },
  });
});

test('the server’s defaults yield to the project’s policy, that to the thread’s, and that to the call’s', async () => {
  const other = apiOf({ ...stack, key: await stack.addProject('levels') });
  await other.createThread({ id: 'levels' });
  const threshold = async (callPolicy: object = {}) => {
    const path = '/v1/threads/levels/compactions/preview';
    const { body } = await other.call<{ policy: Effective['effective'] }>('POST', path, {
      policy: callPolicy,
    });
    return body.policy.outputs.threshold_tokens;
  };
  expect(await threshold()).toBe(1_234);
  await other.call('PUT', '/v1/policy', { outputs: { threshold_tokens: 3_000 } });
  expect(await threshold()).toBe(3_000);
  await other.call('PATCH', '/v1/threads/levels', { policy: { outputs: { threshold_tokens: 4_000 } } });
  expect(await threshold()).toBe(4_000);
  expect(await threshold({ outputs: { threshold_tokens: 5_000 } })).toBe(5_000);
});

test.each([
  [
    'dawn',
    {
      context: { trigger_tokens: 12_000, keep_recent_turns: 6 },
      outputs: { threshold_chars: 40_000, head_lines: 10 },
      summary: { enabled: false },
    },
  ],
  [
    'chronos',
    {
      context: { trigger_ratio: 0.8, keep_recent_turns: 5, counter: 'estimate' },
      summary: { max_tokens: 1024 },
    },
  ],
  [
    'agentscope',
    {
      context: { trigger_ratio: 0.8, reserve_ratio: 0.1, max_images: 5 },
      outputs: { threshold_tokens: 3000 },
    },
  ],
] as const)('the preset %s is one key, and what stands beside it wins', async (preset, expected) => {
  const other = apiOf({ ...stack, key: await stack.addProject(`like-${preset}`) });
  await other.call('PUT', '/v1/policy', { preset });
  expect((await other.call<Effective>('GET', '/v1/policy')).body.effective).toMatchObject(expected);
  await other.call('PUT', '/v1/policy', { preset, context: { trigger_ratio: 0.5 } });
  expect((await other.call<Effective>('GET', '/v1/policy')).body.effective.context.trigger_ratio).toBe(0.5);
});

test('tool schemas and the system prompt are counted, and change what is left', async () => {
  const tools = [
    { type: 'function', function: { name: 'look', description: filler, parameters: { type: 'object' } } },
  ];
  const bare = await api.createThread({ id: 'bare' });
  const equipped = await api.createThread({ id: 'equipped', system: filler, tools });
  expect(equipped.live_tokens).toBeGreaterThan(bare.live_tokens + 350);
  expect(equipped.tools).toEqual(tools);
  await api.append('equipped', { role: 'user', content: 'Hi.' });
  const context = await api.context('equipped');
  expect(context.tokens.system).toBeGreaterThan(350);
  expect(context.messages).toHaveLength(1);
});

test('summarization that is disabled never summarizes, and the context is within budget all the same', async () => {
  const policy = { context: { context_window: 6_000 }, summary: { enabled: false } };
  await api.createThread({ id: 'disabled', policy });
  await api.append('disabled', ...turns(40));
  const context = await api.context('disabled');
  expect(context.summary).toBeNull();
  expect(context.degraded).toBe(true);
  expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
  expect((await api.thread('disabled')).compaction).toMatchObject({ state: 'idle', generation: 0 });
});

test('only the newest tool results stay once a compaction came; older ones are cleared, and say where they are', async () => {
  const step = (i: number) => [toolCall(`c${i}`, 'look'), toolResult(`c${i}`, `Result ${i}. ${filler}`)];
  const policy = {
    context: {
      context_window: 8_000,
      response_reserve: 1_000,
      keep_tool_results: 2,
      reserve_ratio: 0.35,
      min_reclaim_ratio: 0,
    },
  };
  await api.createThread({ id: 'cleared', policy });
  await api.append(
    'cleared',
    { role: 'user', content: 'Look around.' },
    ...Array.from({ length: 40 }, (_, i) => step(i)).flat(),
  );
  await settled(api, 'cleared', 1);
  const shown = (await api.context('cleared')).messages as JsonMessage[];
  const results = shown
    .filter((message) => message.role === 'tool')
    .map((message) => String(message.content));
  expect(results.slice(-2).every((text) => text.startsWith('Result'))).toBe(true);
  expect(results.length).toBeGreaterThan(3);
  expect(
    results.slice(0, -2).every((text) => text.startsWith('[Cleared to save space: this result is message')),
  ).toBe(true);
  expect(
    (await api.originals('cleared')).filter((message) => String(message.content).startsWith('Result')),
  ).toHaveLength(40);
});

// The first two are what OpenAI's cookbook counts of this text; an estimate takes four characters for a token.
test.each([
  ['o200k', 8],
  ['cl100k', 9],
  ['estimate', 3],
])('the counter %s can be chosen, and the overhead of a message with it', async (counter, tokens) => {
  const count = async (id: string, overhead: number) => {
    await api.createThread({ id, policy: { context: { counter, message_overhead: overhead } } });
    return (await api.append(id, { role: 'user', content: 'お誕生日おめでとう' })).messages[0]!.tokens;
  };
  expect(await count(`${counter}-0`, 0)).toBe(tokens);
  expect(await count(`${counter}-9`, 9)).toBe(tokens + 9);
});

test('every attempt is on record: what was over, by how much, and what became of it', async () => {
  await api.createThread({
    id: 'recorded',
    policy: { context: { context_window: 8_000, trigger_ratio: 0.3 } },
  });
  await api.append('recorded', ...turns(20));
  await settled(api, 'recorded', 1);
  const [attempt] = await api.compactions('recorded');
  expect(attempt).toMatchObject({ outcome: 'compacted', generation: 1, method: 'extractive' });
  expect(attempt!.tokens_before).toBeGreaterThan(attempt!.tokens_after!);
});

test('a summary schema with references, patterns or too many parts is refused with the path of what is wrong', async () => {
  const of = (field: object, more: object = {}) => ({
    summary: { schema: { type: 'object', properties: { field }, ...more } },
  });
  const doubling = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      `d${i}`,
      { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  const cases = [
    [of({ $ref: '#/$defs/d0' }, { $defs: doubling }), '/policy/summary/schema/properties/field/$ref'],
    [of({}, { patternProperties: { '^(a+)+$': {} } }), '/policy/summary/schema/patternProperties'],
    [of({ propertyNames: { pattern: 'x' } }), '/policy/summary/schema/properties/field/propertyNames'],
    [of({ description: 'x'.repeat(40_000) }), '/policy/summary/schema'],
  ] as const;
  for (const [policy, path] of cases) {
    const { status, body } = await api.call<{ errors?: { path: string }[] }>('POST', '/v1/threads', {
      policy,
    });
    expect([status, body.errors?.[0]?.path]).toEqual([422, path]);
  }
  const fine = { policy: of({ type: 'string', maxLength: 400, description: 'What is wanted.' }) };
  expect((await api.call('POST', '/v1/threads', fine)).status).toBe(201);
});

test('a key that the project locks is set by no thread and no call, and an old one is ignored', async () => {
  const other = apiOf({ ...stack, key: await stack.addProject('locked') });
  const longTtl = { outputs: { ttl_ms: 31_536_000_000_000 } };
  await other.createThread({ id: 'old', policy: longTtl });
  const locks = ['outputs.ttl_ms', 'context.trigger_ratio'];
  expect((await other.call('PUT', '/v1/policy', { locks, outputs: { ttl_ms: 60_000 } })).status).toBe(200);
  type Sourced = Effective & { sources: Record<string, string> };
  const old = (await other.call<Sourced>('GET', '/v1/threads/old/policy')).body;
  expect(old.effective.outputs.ttl_ms).toBe(60_000);
  expect(old.sources['outputs.ttl_ms']).toBe('project');
  const trigger = { context: { trigger_ratio: 0.1 } };
  for (const [method, path, policy, at] of [
    ['POST', '/v1/threads', longTtl, '/policy/outputs/ttl_ms'],
    ['PATCH', '/v1/threads/old', longTtl, '/policy/outputs/ttl_ms'],
    ['POST', '/v1/threads/old/compactions', trigger, '/policy/context/trigger_ratio'],
    ['PATCH', '/v1/threads/old', { locks: [], ...longTtl }, '/policy/outputs/ttl_ms'],
    ['POST', '/v1/threads/old/compactions/preview', trigger, '/policy/context/trigger_ratio'],
    ['POST', '/v1/threads', { locks }, '/policy/locks'],
  ] as const) {
    const { status, body } = await other.call<{ errors?: { path: string }[] }>(method, path, { policy });
    expect([path, status, body.errors?.[0]?.path]).toEqual([path, 422, at]);
  }
});

test('a policy that is sent back as GET answered it is taken, and nothing of it is lost silently', async () => {
  const other = apiOf({ ...stack, key: await stack.addProject('sends-back') });
  const put = (body: object, headers = {}) => other.call<ProjectPolicy>('PUT', '/v1/policy', body, headers);
  await put({ context: { trigger_ratio: 0.5 } });
  const { body: read } = await other.call<ProjectPolicy>('GET', '/v1/policy');
  expect(await put(read)).toMatchObject({ status: 200, body: read });
  expect(await put({ policy: read.policy })).toMatchObject({ status: 200, body: read });
  const changed = { ...read, policy: { context: { trigger_ratio: 0.6 } } };
  expect((await put(changed)).body.policy).toEqual(changed.policy);
  // A retry is safe, and a change of somebody else's is not overwritten.
  expect((await put(changed)).status).toBe(200);
  expect(await put(read)).toMatchObject({ status: 412, body: { code: 'policy_changed' } });
  const { body: now } = await other.call<ProjectPolicy>('GET', '/v1/policy');
  const context = { ...(now.effective.context as object), trigger_ratio: 0.7 };
  const message = 'is read-only: change /policy, and send this as GET answers it or not at all';
  for (const [body, errors] of [
    [{ ...now, effective: { ...now.effective, context } }, [{ path: '/effective', message }]],
    [{ policy: {}, sources: {}, inherited: now.inherited }, [{ path: '/sources', message }]],
    [{ ...now, context: {} }, [{ path: '/context', message: 'is not a known field' }]],
    [{ policy: { contxt: {} } }, [{ path: '/policy/contxt', message: 'is not a known field' }]],
    [{ policy: { context: { reserve_ratio: 0.99 } } }, [{ path: '/policy/context/reserve_ratio' }]],
  ] as const)
    expect(await put(body)).toMatchObject({ status: 422, body: { errors } });
  expect((await other.call<ProjectPolicy>('GET', '/v1/policy')).body).toEqual(now);
  const misspelled = await other.call('PUT', '/v1/policy', { contxt: { trigger_ratio: 0.5 } });
  expect(misspelled).toMatchObject({
    body: { errors: [{ path: '/contxt', message: 'is not a known field' }] },
  });
});

test('a combination that cannot work is refused with a pointer into what was sent', async () => {
  const policy = { context: { context_window: 10_000, reserve_ratio: 0.85 } };
  for (const [method, path, body, at] of [
    ['PUT', '/v1/policy', policy, '/context/reserve_ratio'],
    ['POST', '/v1/threads', { policy }, '/policy/context/reserve_ratio'],
  ] as const) {
    const answer = await api.call<{ errors?: { path: string }[] }>(method, path, body);
    expect([path, answer.status, answer.body.errors?.map((error) => error.path)]).toEqual([path, 422, [at]]);
  }
});

test('a key that only writes messages cannot raise what a thread costs or how long its outputs stay', async () => {
  const made = await api.call<{ key: string }>('POST', '/v1/keys', { name: 'w', scopes: ['messages:write'] });
  const writer = apiOf({ url: stack.url, key: made.body.key });
  const answers = await Promise.all(
    [
      { summary: { model: 'expensive' } },
      { outputs: { ttl_ms: 31_536_000_000_000 } },
      { context: { min_reclaim_ratio: 0 } },
      { outputs: { ttl_ms: 1_000 }, context: { min_reclaim_ratio: 0.5, reserve_ratio: 0.05 } },
    ].map((policy) => writer.call('POST', '/v1/threads', { policy })),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 201]);
});

test.each([
  ['context', 'max_tokens', 'context.trigger_tokens'],
  ['context', 'output_reserve', 'context.response_reserve'],
  ['outputs', 'limit_tokens', 'outputs.threshold_tokens'],
] as const)('the former key %s.%s is refused wherever a policy is posted', async (group, key, use) => {
  await api.createThread({ id: `former-${key}` });
  const policy = { [group]: { [key]: 5_000 } };
  const error = { path: `/policy/${group}/${key}`, message: `was renamed: use ${use}` };
  for (const [method, path, body, expected] of [
    ['PUT', '/v1/policy', policy, { ...error, path: `/${group}/${key}` }],
    ['PUT', '/v1/policy', { locks: [`${group}.${key}`] }, { ...error, path: '/locks/0' }],
    ['POST', '/v1/policy/preview', { policy }, error],
    ['POST', '/v1/policy/simulate', { thread_id: `former-${key}`, policy, level: 'thread' }, error],
    ['POST', '/v1/threads', { policy }, error],
    ['PATCH', `/v1/threads/former-${key}`, { policy }, error],
    ['POST', `/v1/threads/former-${key}/compactions`, { policy }, error],
    ['POST', `/v1/threads/former-${key}/compactions/preview`, { policy }, error],
  ] as const) {
    const { status, body: problem } = await api.call<{ errors?: object[] }>(method, path, body);
    expect([path, status, problem.errors]).toEqual([path, 422, [expected]]);
  }
});
