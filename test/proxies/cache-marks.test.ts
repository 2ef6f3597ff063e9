import Anthropic from '@anthropic-ai/sdk';
import type { AppProcess } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistant, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
let anthropicApi: AppProcess;
beforeAll(async () => {
  rig = await startProxyRig();
  anthropicApi = await rig.stack.startApi({
    SPILLWAY_LLM_PROVIDER: 'anthropic',
    SPILLWAY_LLM_MODEL: 'claude-haiku-4-5',
  });
});
afterAll(() => rig?.stop());

const mark = { cache_control: { type: 'ephemeral' as const } };
const text = (words: string, more: object = {}) => ({ type: 'text' as const, text: words, ...more });
const marksIn = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;
const sent = () => rig.received.at(-1)!.body;

test('Anthropic is never sent more marks than the caller has, wherever its results have them', async () => {
  const anthropic = new Anthropic({
    apiKey: rig.stack.key,
    baseURL: anthropicApi.url,
    maxRetries: 0,
    defaultHeaders: { 'Spillway-Thread': 'marked' },
  });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: [text('list')] }];
  for (let turn = 1; turn <= 6; turn++) {
    const content = [{ type: 'tool_use' as const, id: `toolu_${turn}`, name: 'list', input: {} }];
    const usage = { input_tokens: 9, output_tokens: 1 };
    rig.answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ type: 'message', role: 'assistant', content, usage }));
    };
    await anthropic.messages.create({
      model: 'claude-haiku-4-5',
      max_tokens: 100,
      system: [text('Be brief.', mark)],
      tools: [{ name: 'list', input_schema: { type: 'object' }, ...mark }],
      messages: messages.map((message, i) => (i < messages.length - 3 ? message : marked(message))),
    });
    expect(marksIn(sent()), `turn ${turn}`).toBe(3);
    expect(sent().messages.at(-1)!.content).toMatchObject([mark]);
    messages.push({ role: 'assistant', content });
    const result = { type: 'tool_result' as const, tool_use_id: `toolu_${turn}`, content: [text(`${turn}`)] };
    messages.push({ role: 'user', content: [result] });
  }
  const stored = await rig.api.call('GET', '/v1/threads/marked/messages');
  expect(marksIn(stored.body)).toBe(0);
});

/** Marked where frameworks mark a result: the text in it. */
function marked(message: Anthropic.MessageParam): Anthropic.MessageParam {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const content = message.content.map((block) =>
    block.type === 'tool_result'
      ? {
          ...block,
          content: (block.content as Anthropic.TextBlockParam[]).map((part) => ({ ...part, ...mark })),
        }
      : { ...block, ...mark },
  );
  return { ...message, content };
}

test('a gateway that takes them in chat completions gets one, at the end', async () => {
  rig.answer = replies('yes');
  const system = { role: 'system', content: [text('Be brief.', mark)] };
  const messages: object[] = [];
  for (const [i, word] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const asked = [{ role: 'user', content: [text(word, mark)] }];
    await rig.post('gateway', [system, ...messages, ...asked]);
    expect(marksIn(sent())).toBe(2);
    expect(sent().messages.at(-1)).toEqual(asked[0]);
    messages.push(i % 2 ? user(word) : asked[0]!, assistant('yes'));
  }
  await rig.post('gateway', [system, ...messages.slice(-1), user('unmarked')]);
  expect(sent().messages.at(-1)).toEqual(user('unmarked'));
});
