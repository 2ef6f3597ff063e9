import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { generateText } from 'ai';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelUsage } from '@spillway/engine';
import type { LlmProvider } from '../llm-settings.js';
import { providerWaits } from '../provider-gate.js';
import { llmSummarizer } from './llm.js';
import { providers } from './providers.js';

describe('a model name never leaves its place in a Google URL', () => {
  test.each([
    ['gemini-3-pro', '/v1/models/gemini-3-pro:generateContent'],
    ['models/gemini-3-pro', '/v1/models/gemini-3-pro:generateContent'],
    ['tunedModels/mine', '/v1/tunedModels/mine:generateContent'],
    ['../admin', '/v1/models/..%2Fadmin:generateContent'],
    ['models/../x', '/v1/models/models%2F..%2Fx:generateContent'],
    ['x?key=y#z', '/v1/models/x%3Fkey%3Dy%23z:generateContent'],
  ])('the model %s is asked at %s of Google', async (name, path) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const model = providers.google({ provider: 'google', baseUrl, apiKey: 'k', model: null }, name);
    await expect(generateText({ model, prompt: 'x', maxRetries: 0 })).rejects.toThrow();
    expect(asked).toEqual([path]);
  });
});

const fields = {
  task_overview: 'The heron.',
  current_state: 'Found.',
  important_discoveries: 'None.',
  next_steps: 'None.',
  context_to_preserve: 'None.',
};
const answer = JSON.stringify(fields);

interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Answers as the provider does, and records the requests. */
async function startProvider(
  answerTo: (asked: Asked) => object,
): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { path: request.url!, headers: request.headers, body: JSON.parse(body) as Asked['body'] };
      asked.push(one);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(one)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

async function summarizeWith(provider: LlmProvider, baseUrl: string, model: string, attempt: number) {
  const spent: ModelUsage[] = [];
  const summarizer = llmSummarizer({ provider, baseUrl, apiKey: 'secret', model }, providerWaits);
  const message = { seq: 1, at: null, role: 'user' as const, name: null, speech: 'Find the heron.' };
  const summary = await summarizer.summarize({
    projectId: 'p',
    prior: null,
    messages: [{ ...message, text: message.speech, calls: [], results: [] }],
    maxTokens: 500,
    model: null,
    prompt: null,
    schema: null,
    attempt,
    conversation: null,
    timeoutMs: 10_000,
    count: (of) => of.length,
    spent: (_model, usage) => spent.push(usage),
    signal: new AbortController().signal,
  });
  return { summary, spent };
}

describe('a summary', () => {
  test.each([1, 2, 3])('is made by Anthropic, in attempt %i', async (attempt) => {
    const { baseUrl, asked } = await startProvider(({ body }) => {
      const [tool] = (body.tools ?? []) as { name: string }[];
      const content = tool
        ? [{ type: 'tool_use', id: 'toolu_1', name: tool.name, input: fields }]
        : [{ type: 'text', text: answer }];
      const usage = { input_tokens: 70, output_tokens: 30, cache_read_input_tokens: 5 };
      const stop = { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null };
      return { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content, usage, ...stop };
    });
    const { summary, spent } = await summarizeWith('anthropic', baseUrl, 'claude-sonnet-4-5', attempt);
    expect(summary).toMatchObject({ fields, method: 'llm', model: 'claude-sonnet-4-5' });
    expect(spent).toMatchObject([{ outputTokens: 30 }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ path: '/v1/messages', body: { model: 'claude-sonnet-4-5' } });
    expect(asked[0]!.headers).toMatchObject({ 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' });
    expect(JSON.stringify(asked[0]!.body.messages)).toContain('Find the heron.');
  });

  test.each([1, 2, 3])('is made by Google, in attempt %i', async (attempt) => {
    const { baseUrl, asked } = await startProvider(() => ({
      candidates: [{ content: { role: 'model', parts: [{ text: answer }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 30, totalTokenCount: 100 },
    }));
    const { summary, spent } = await summarizeWith('google', baseUrl, 'gemini-3-pro', attempt);
    expect(summary).toMatchObject({ fields, method: 'llm', model: 'gemini-3-pro' });
    expect(spent).toMatchObject([{ inputTokens: 70, outputTokens: 30 }]);
    expect(asked).toHaveLength(1);
    expect(asked[0]!.path).toBe('/v1/models/gemini-3-pro:generateContent');
    expect(asked[0]!.headers).toMatchObject({ 'x-goog-api-key': 'secret' });
    expect(JSON.stringify(asked[0]!.body.contents)).toContain('Find the heron.');
  });

  const chatAnswer = (content: string, finish: string) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-5-mini' },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage: { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 },
  });

  test.each([1, 2, 3])(
    'is made by OpenAI, whose models take one name of the limit, in attempt %i',
    async (attempt) => {
      const { baseUrl, asked } = await startProvider(() => chatAnswer(answer, 'stop'));
      const { summary } = await summarizeWith('openai', baseUrl, 'gpt-5-mini', attempt);
      expect(summary).toMatchObject({ fields, method: 'llm', model: 'gpt-5-mini' });
      expect(asked[0]!.body).not.toHaveProperty('max_tokens');
      expect(asked[0]!.body.max_completion_tokens).toBeGreaterThan(500);
    },
  );

  test('keeps the name that every other server knows', async () => {
    const { baseUrl, asked } = await startProvider(() => chatAnswer(answer, 'stop'));
    await summarizeWith('openai-compatible', baseUrl, 'qwen', 1);
    expect(asked[0]!.body).toHaveProperty('max_tokens');
  });

  test.each([1, 2, 3])(
    'that was cut off before its first word, while the model thought, is no outage, in attempt %i',
    async (attempt) => {
      const { baseUrl } = await startProvider(() => chatAnswer('', 'length'));
      await expect(summarizeWith('openai-compatible', baseUrl, 'qwen', attempt)).rejects.toMatchObject({
        failure: 'invalid_answer',
        message: 'The answer was cut off.',
      });
    },
  );
});
