// @module-tag long
import {
  apiOf,
  startStack,
  startStubProvider,
  until,
  type Stack,
  type StubProvider,
} from '@spillway/testing';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAdk, type Adk, type Event } from './session.js';
import { needsFramework } from '../needs-framework.js';
import { sized } from '../../../sizes.js';

const window = 16_000;
const steps = sized(30, 120);

let provider: StubProvider;
let stack: Stack;
let kit: Adk & { folder: string };
beforeAll(async () => {
  provider = await startStubProvider({
    // Looks two things up at once until it has done so often enough; to a question it answers alone.
    model: ({ results, asked }) => {
      const wanted = Number(/Look up (\d+)/.exec(asked.at(-1)!)?.[1] ?? 0);
      const found = Number(/look-up (\d+)/.exec(results.at(-1) ?? '')?.[1] ?? -1) + 1;
      if (found >= wanted) return { text: `Answer to: ${asked.at(-1)!}` };
      const args = { about: found };
      return { text: 'Next.', calls: ['shelf', 'price'].map((name) => ({ name, args })) };
    },
    contextWindow: window,
  });
  stack = await startStack({
    env: {
      SPILLWAY_LLM_PROVIDER: 'google',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1beta`,
      SPILLWAY_LLM_API_KEY: 'key-of-the-server',
      SPILLWAY_LLM_MODEL: 'gemini-2.5-flash',
    },
  });
  const policy = {
    context: { context_window: window, response_reserve: 1_000 },
    summary: { provider: 'extractive' },
  };
  expect((await apiOf(stack).call('PUT', '/v1/policy', policy)).status).toBe(200);
});
afterAll(async () => {
  await stack?.stop();
  await provider?.stop();
});
needsFramework('adk', async () => {
  kit = await loadAdk();
});

/** What docs/agents.md says of an agent and of its callback, with this server, this key, another thread and more options. */
async function agentOfPage(thread: string, more: object): Promise<{ ofThread: object; ofSessions: object }> {
  const page = await readFile(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');
  const [, agent] = /`new LlmAgent\((\{.*?\})\)`/.exec(page) ?? [];
  const [, callback] = /`(beforeModelCallback: .*?)`/.exec(page) ?? [];
  const lines = `({ ofThread: ${agent!}, ofSessions: { ...${agent!}, ${callback!} } })`;
  const module = join(kit.folder, `base-url-${thread}.mjs`);
  const source = lines
    .replaceAll('http://localhost:4000', stack.url)
    .replaceAll("'Spillway-Thread': 'orders'", `'Spillway-Thread': '${thread}'`);
  await writeFile(module, `export const options = (Gemini, spillwayKey) => ${source};\n`);
  const { options } = (await import(pathToFileURL(module).href)) as {
    options: (model: Adk['Gemini'], key: string) => { ofThread: object; ofSessions: object };
  };
  const { ofThread, ofSessions } = options(kit.Gemini, stack.key);
  return {
    ofThread: new kit.LlmAgent({ ...ofThread, ...more }),
    ofSessions: new kit.LlmAgent({ ...ofSessions, ...more }),
  };
}

const sessionService = () => new kit.InMemorySessionService();

/** Asks questions in a session, and returns what the agent said at last. */
async function ask(
  agent: object,
  { sessionId, questions, isStream = false }: { sessionId: string; questions: string[]; isStream?: boolean },
): Promise<string | undefined> {
  const service = sessionService();
  await service.createSession({ appName: 'tests', userId: 'tests', sessionId });
  const runner = new kit.Runner({ appName: 'tests', agent, sessionService: service });
  const events: Event[] = [];
  for (const question of questions) {
    const newMessage = { role: 'user', parts: [{ text: question }] };
    const runConfig = isStream ? { streamingMode: kit.StreamingMode.SSE } : {};
    for await (const event of runner.runAsync({ userId: 'tests', sessionId, newMessage, runConfig }))
      events.push(event);
  }
  expect(events.flatMap(({ errorMessage }) => errorMessage ?? [])).toEqual([]);
  expect(provider.refused).toEqual([]);
  return events.filter(({ partial }) => partial !== true).at(-1)?.content?.parts?.[0]?.text;
}

/** Waits for folds that are due: one that comes too late leaves the question out, by which the model looks up. */
const lookUp = (name: string, id: string) =>
  new kit.FunctionTool({
    name,
    description: `Looks the ${name} of a record up.`,
    parameters: { type: 'OBJECT', properties: { about: { type: 'NUMBER' } } },
    execute: async ({ about }: { about: number }) => {
      await until('no fold is due', async () => (await apiOf(stack).thread(id)).compaction.state === 'idle');
      return `look-up ${about}: ${`The ${name} of the record ${about} is ${about * 7}. `.repeat(30)}`;
    },
  });

test.each([false, true])(
  "an agent of Google's kit runs a loop of parallel calls through a window of 16 k by another base URL alone (streamed: %s)",
  async (isStream) => {
    const id = `adk-${isStream}`;
    const { ofThread } = await agentOfPage(id, { tools: [lookUp('shelf', id), lookUp('price', id)] });
    const question = `Look up ${steps} things.`;
    const answer = await ask(ofThread, { sessionId: 'of-the-kit', questions: [question], isStream });
    expect(answer).toBe(`Answer to: ${question}`);
    const api = apiOf(stack);
    const thread = await api.thread(id);
    expect(thread.last_seq).toBe(2 * steps + 2);
    expect(thread.compaction.generation).toBeGreaterThan(0);
    expect(Math.max(...provider.accepted)).toBeLessThan(window);
  },
);

test('with the callback of the page each session has its own thread', async () => {
  const { ofSessions } = await agentOfPage('unnamed', {});
  const sessions = ['adk-first', 'adk-second'];
  await Promise.all(
    sessions.map((sessionId) => ask(ofSessions, { sessionId, questions: ['Who?', `In ${sessionId}?`] })),
  );
  for (const id of sessions) {
    const messages = await apiOf(stack).originals(id);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(JSON.stringify(messages.at(-1))).toContain(`Answer to: In ${id}?`);
  }
});
