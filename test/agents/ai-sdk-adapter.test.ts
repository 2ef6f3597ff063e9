import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createSpillway } from '@spillway/ai-sdk';
import type { Schemas } from '@spillway/client';
import {
  apiOf,
  startProxy,
  startStack,
  startStubProvider,
  type ScriptedModel,
  type Stack,
} from '@spillway/testing';
import { dynamicTool, isStepCount, jsonSchema, ToolLoopAgent, type ModelMessage } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOrders } from '../../examples/orders.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

/** Lists the orders twice at once, reads one of the results back, and answers. */
const model: ScriptedModel = ({ results, asked }) => {
  if (/hello/.test(asked.at(-1)!)) return { text: `Hello ${asked.length}.` };
  if (results.length === 0)
    return {
      calls: [
        { name: 'list_orders', args: { n: 1 } },
        { name: 'list_orders', args: { n: 2 } },
      ],
    };
  const id = /out_[0-9a-f]{32}/.exec(results[0]!)?.[0] ?? 'none';
  if (results.length === 2)
    return { calls: [{ name: 'read_output', args: { id, path: '$[?@.state=="damaged"].id' } }] };
  return { text: `Damaged: ${/order-\d+/.exec(results[2]!)?.[0] ?? 'not found'}.` };
};

interface WorldOptions {
  url?: string;
  model?: ScriptedModel;
  contextWindow?: number;
  /** What the agent's tool returns. */
  execute?: () => string;
}

async function world(options: WorldOptions = {}) {
  const { url = stack.url, contextWindow = 128_000, execute = listOrders } = options;
  const provider = await startStubProvider({ model: options.model ?? model, contextWindow });
  const lines: string[] = [];
  const spillway = createSpillway({
    baseUrl: url,
    key: stack.key,
    maxRetries: 0,
    pauseMs: 0,
    log: (line) => lines.push(line),
  });
  const sdk = createOpenAICompatible({ name: 'stub', baseURL: `${provider.url}/v1`, apiKey: 'sk-test' });
  const run = (id: string, messages: ModelMessage[], abortSignal?: AbortSignal) => {
    const thread = spillway.thread(id);
    const own = {
      list_orders: dynamicTool({
        inputSchema: jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
        execute: () => execute(),
      }),
    };
    const agent = new ToolLoopAgent({
      model: sdk('gpt-4o-mini'),
      instructions: 'You answer questions about orders.',
      maxRetries: 0,
      stopWhen: isStepCount(10),
      tools: thread.tools(own),
      ...thread.hooks,
    });
    return agent.generate({ messages, ...(abortSignal ? { abortSignal } : {}) });
  };
  return { provider, spillway, lines, run };
}

const user = (content: string): ModelMessage => ({ role: 'user', content });
const rolesOf = async (id: string) =>
  ((await apiOf(stack).originals(id)) as { role: string }[]).map(({ role }) => role);

/** Texts of the messages that were not rewound, '-' for one without text, and how many were. */
async function liveOf(id: string) {
  const { data } = (await apiOf(stack).call<Schemas['MessageList']>('GET', `/v1/threads/${id}/messages`))
    .body;
  const live = data.filter((one) => one.rewound_before === null);
  const texts = live.map(({ message }) => {
    const { content } = message as { content: string | { text?: string }[] };
    return typeof content === 'string' ? content : content.map(({ text }) => text ?? '-').join('');
  });
  return { texts, rewound: data.length - live.length };
}

test('parallel results are offloaded before the model sees them, it reads one back, and all is recorded once', async () => {
  const { provider, run, spillway, lines } = await world();
  try {
    const asked = [user('Which order is damaged?')];
    const first = await run('whole', asked);
    expect(first.text).toBe('Damaged: order-1234.');
    expect(provider.refused).toEqual([]);
    expect(Math.max(...provider.accepted)).toBeLessThan(8_000);
    const recorded = ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'];
    expect(await rolesOf('whole')).toEqual(recorded);

    // What the caller's page shows is whole, and goes back in with the next question.
    const page = [...asked, ...first.responseMessages];
    expect(JSON.stringify(page)).toContain('order-1999');
    expect((await run('whole', [...page, user('hello')])).text).toBe('Hello 2.');
    expect(await rolesOf('whole')).toEqual([...recorded, 'user', 'assistant']);

    // The same request again, from a process that knows nothing of the thread, records its answer alone.
    const other = await world();
    await other.run('whole', [...page, user('hello')]).finally(() => other.provider.stop());
    const again = await rolesOf('whole');
    expect(again.slice(0, recorded.length + 1)).toEqual([...recorded, 'user']);
    expect(again.filter((role) => role === 'user')).toHaveLength(2);

    expect(provider.refused).toEqual([]);
    expect(lines).toEqual([]);
    expect(spillway.status).toMatchObject({ state: 'up', bypassed_calls: 0 });
  } finally {
    await provider.stop();
  }
});

test('while Spillway is down the agent goes on, says so once, and records all of it when Spillway is back', async () => {
  const { hostname: host, port } = new URL(stack.url);
  const proxy = await startProxy({ host, port: Number(port) });
  const { provider, run, spillway, lines } = await world({ url: proxy.through(stack.url) });
  try {
    await proxy.set('reset');
    const first = await run('down', [user('hello')]);
    expect(first.text).toBe('Hello 1.');
    const page = [user('hello'), ...first.responseMessages];
    const second = await run('down', [...page, user('hello again')]);
    expect(spillway.status).toMatchObject({ state: 'down', bypassed_calls: 2 });
    expect(lines).toEqual([expect.stringContaining('Spillway cannot be reached')]);

    await proxy.set('pass');
    await run('down', [...page, user('hello again'), ...second.responseMessages, user('hello at last')]);
    expect(await rolesOf('down')).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
    expect(spillway.status).toMatchObject({ state: 'up', bypassed_calls: 2 });
    expect(lines).toEqual([lines[0], 'Spillway is back. Model calls without it: 2.']);
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
    await proxy.stop();
  }
});

test('an aborted run leaves a thread that the next run continues', async () => {
  const { provider, run } = await world();
  try {
    await expect(run('aborted', [user('Which order is damaged?')], AbortSignal.abort())).rejects.toThrow();
    expect((await run('aborted', [user('Which order is damaged?')])).text).toBe('Damaged: order-1234.');
    expect((await rolesOf('aborted')).filter((role) => role === 'user')).toEqual(['user']);
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
  }
});

test('a run that is aborted at its second step is taken back when the caller starts it again', async () => {
  const stop = new AbortController();
  const { provider, run } = await world({
    model: (seen) => {
      if (seen.step === 1) stop.abort();
      return model(seen);
    },
  });
  const asked = [user('Which order is damaged?')];
  try {
    await expect(run('cut', asked, stop.signal)).rejects.toThrow();
    expect(await rolesOf('cut')).toEqual(['user', 'assistant', 'tool']);
    expect((await run('cut', asked)).text).toBe('Damaged: order-1234.');
    const { texts, rewound } = await liveOf('cut');
    expect(rewound).toBe(2);
    expect(texts).toHaveLength(6);
    expect(texts.at(-1)).toBe('Damaged: order-1234.');
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
  }
});

test('messages that the caller took out of its end are rewound, also by a process that did not record them', async () => {
  const { provider, run } = await world();
  try {
    const first = await run('edited', [user('hello')]);
    const page = [user('hello'), ...first.responseMessages];
    await run('edited', [...page, user('hello twice')]);
    expect((await run('edited', [...page, user('hello again')])).text).toBe('Hello 2.');
    expect(await liveOf('edited')).toEqual({
      texts: ['hello', 'Hello 1.', 'hello again', 'Hello 2.'],
      rewound: 2,
    });

    const other = await world();
    await other.run('edited', [...page, user('hello at last')]).finally(() => other.provider.stop());
    expect(await liveOf('edited')).toEqual({
      texts: ['hello', 'Hello 1.', 'hello at last', 'Hello 2.'],
      rewound: 4,
    });
  } finally {
    await provider.stop();
  }
});

test('a caller that goes back during an outage finds its thread so when Spillway is back', async () => {
  const { hostname: host, port } = new URL(stack.url);
  const proxy = await startProxy({ host, port: Number(port) });
  const { provider, run } = await world({ url: proxy.through(stack.url) });
  try {
    const first = await run('back', [user('hello')]);
    const page = [user('hello'), ...first.responseMessages];
    await run('back', [...page, user('hello twice')]);
    await proxy.set('reset');
    await run('back', [...page, user('hello unsent')]);
    const second = await run('back', [...page, user('hello again')]);
    await proxy.set('pass');
    await run('back', [...page, user('hello again'), ...second.responseMessages, user('hello at last')]);
    const texts = ['hello', 'Hello 1.', 'hello again', 'Hello 2.', 'hello at last', 'Hello 3.'];
    expect(await liveOf('back')).toEqual({ texts, rewound: 2 });
  } finally {
    await provider.stop();
    await proxy.stop();
  }
});

test('a thread that is folded in the middle of a run goes on with contexts that the provider takes', async () => {
  const steps = 9;
  const notes = () => Array.from({ length: 90 }, (_, i) => `note ${i}: nothing was damaged`).join('. ');
  const { provider, run, lines } = await world({
    execute: notes,
    contextWindow: 8_000,
    model: ({ step }) =>
      step < steps ? { calls: [{ name: 'list_orders', args: { n: step } }] } : { text: 'All read.' },
  });
  const policy = { context: { context_window: 8_000, response_reserve: 500 } };
  await apiOf(stack).call('PUT', '/v1/threads/folded', { policy });
  try {
    expect((await run('folded', [user('Read the notes.')])).text).toBe('All read.');
    expect((await apiOf(stack).thread('folded')).compaction.generation).toBeGreaterThan(0);
    expect(provider.refused).toEqual([]);
    expect(provider.accepted).toHaveLength(steps + 1);
    const pairs = Array.from({ length: steps }, () => ['assistant', 'tool']).flat();
    expect(await rolesOf('folded')).toEqual(['user', ...pairs, 'assistant']);
    expect(lines).toEqual([]);
  } finally {
    await provider.stop();
  }
});

test('a wrong key is an error, not an outage', async () => {
  const { provider, spillway } = await world();
  await provider.stop();
  const wrong = createSpillway({ baseUrl: stack.url, key: 'wrong' }).thread('wrong-key');
  const step = { stepNumber: 0, model: 'm', instructions: 'i', messages: [user('hi')], steps: [] };
  await expect(wrong.prepareStep({ ...step, initialMessages: step.messages })).rejects.toThrow(/key/i);
  await expect(spillway.thread('six').prepareStep(step)).rejects.toThrow('needs version 7 of the AI SDK');
});

test('the reader tools of the client are those of the service', async () => {
  const { readerTools } = await import('@spillway/client/agent');
  const { body } = await apiOf(stack).call('PUT', '/v1/threads/readers', {});
  expect(body).toBeTruthy();
  const listed = await apiOf(stack).call('GET', '/v1/threads/readers/tools?format=ai-sdk');
  expect((listed.body as { tools: unknown }).tools).toEqual(
    readerTools().map(({ parameters, ...tool }) => ({ type: 'function', ...tool, inputSchema: parameters })),
  );
});
