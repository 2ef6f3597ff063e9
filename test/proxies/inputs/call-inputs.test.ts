import Anthropic from '@anthropic-ai/sdk';
import { apiOf, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inputsOfModels } from './inputs-of-models.js';
import { startRecordedProvider, type RecordedProvider } from '../recorded-provider.js';

let provider: RecordedProvider;
let stack: Stack;
beforeAll(async () => {
  provider = await startRecordedProvider((response) => void response.writeHead(500).end());
  stack = await startStack({
    workers: 0,
    redis: false,
    env: {
      SPILLWAY_LLM_PROVIDER: 'anthropic',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1`,
      SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
      SPILLWAY_CHAT_MODELS: 'claude-haiku-4-5',
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.stop();
});

const model = 'claude-haiku-4-5';
/** The provider answers with a call of this input, byte for byte. */
function answerCall(input: string): void {
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'tool_use' };
  const rest = JSON.stringify({ ...head, usage: { input_tokens: 9, output_tokens: 9 } }).slice(1);
  const call = `{"type":"tool_use","id":"toolu_1","name":"apply","input":${input}}`;
  provider.answer = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(`{"content":[${call}],${rest}`);
}

function answerText(text: string): void {
  const reply = { id: 'msg_2', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' };
  const content = [{ type: 'text', text }];
  const usage = { input_tokens: 9, output_tokens: 9 };
  provider.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...reply, content, usage }));
}

const question = { role: 'user' as const, content: 'Apply it.' };
const result = {
  role: 'user' as const,
  content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'Done.' }],
};

describe.each(inputsOfModels)('an input %s does not stop an agent', (name, input) => {
  test('of an SDK, whose request goes through the proxy', async () => {
    const id = `sdk-${name}`;
    const client = new Anthropic({
      apiKey: stack.key,
      baseURL: stack.url,
      maxRetries: 0,
      defaultHeaders: { 'Spillway-Thread': id },
    });
    answerCall(input);
    const asked = { model, max_tokens: 100, messages: [question] as Anthropic.MessageParam[] };
    const { content } = await client.messages.create(asked);
    const written = { type: 'tool_use', id: 'toolu_1', name: 'apply', input: JSON.parse(input) as object };
    expect(content).toEqual([written]);
    answerText('It is applied.');
    const messages = [question, { role: 'assistant' as const, content }, result];
    const answer = await client.messages.create({ ...asked, messages });
    expect(answer.content).toEqual([{ type: 'text', text: 'It is applied.' }]);
    expect(await apiOf(stack).thread(id)).toMatchObject({ last_seq: 4 });
    const sent = provider.received.at(-1)!.body.messages;
    expect(sent[1]).toEqual({ role: 'assistant', content });
  });

  test('that sends the text of the model back, and whose thread does not have the call yet', async () => {
    const id = `text-${name}`;
    answerText('It is applied.');
    const call = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"apply","input":${input}}]}`;
    const history = `[${JSON.stringify(question)},${call},${JSON.stringify(result)}]`;
    const answer = await fetch(`${stack.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': stack.key, 'content-type': 'application/json', 'spillway-thread': id },
      body: `{"model":"${model}","max_tokens":100,"messages":${history}}`,
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('applied')]);
    const [, recorded] = await apiOf(stack).originals(id);
    const written = { type: 'tool_use', id: 'toolu_1', name: 'apply', input: { json: input } };
    expect(recorded).toEqual({ role: 'assistant', content: [written] });
    expect(provider.received.at(-1)!.body.messages[1]).toEqual(recorded);
  });
});
