import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  apiOf,
  rowsOf,
  startStack,
  startStubLlm,
  until,
  type Api,
  type Stack,
  type StubLlm,
} from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { small, talk } from './scrape.js';

interface Sent {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: Record<string, string | number>;
  service: string;
}

/** An OpenTelemetry collector, as far as it takes traces as JSON. */
async function startCollector() {
  const spans: Sent[] = [];
  const requests: { path: string; type: string }[] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '' });
    if (request.headers['content-type'] !== 'application/json') {
      request.resume();
      return void response.writeHead(200).end();
    }
    void json(request).then((body) => {
      spans.push(...spansIn(body as Export));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, requests, stop: () => void server.close() };
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<Sent, 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const),
  );

const spansIn = ({ resourceSpans }: Export): Sent[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        service: String(valuesOf(resource.attributes)['service.name']),
      })),
    ),
  );

type Collector = Awaited<ReturnType<typeof startCollector>>;
let collector: Collector;
let llm: StubLlm;
let stack: Stack;
let api: Api;
beforeAll(async () => {
  collector = await startCollector();
  llm = await startStubLlm();
  stack = await startStack({
    env: {
      ...llm.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOG_LEVEL: 'info',
      SPILLWAY_TIME_DIVISOR: '20',
      SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1',
      // A fold that a poll finds first begins a trace of its own.
      SPILLWAY_POLL_MS: '3600000',
    },
  });
  api = apiOf({ url: stack.url, key: stack.key });
  // A hint that Redis does not take within its time is lost, as the first ones may be where much starts at once.
  await api.createThread({ id: 'first', policy: small });
  await post('first', {});
  await until('a hint arrives', async () => {
    await api.call('POST', '/v1/threads/first/compact');
    return (await api.thread('first')).compaction.generation > 0;
  });
});
afterAll(async () => {
  await stack?.stop();
  await llm?.stop();
  collector?.stop();
});

const traceOf = (id: string) => collector.spans.filter(({ traceId }) => traceId === id);
/** The request and the fold are told by two processes, each when it has ended. */
const arrived = (id: string) =>
  until('both spans arrive', () =>
    Promise.resolve(
      ['POST /v1/threads/{id}/messages', 'compact thread'].every((wanted) =>
        traceOf(id).some(({ name }) => name === wanted),
      ),
    ),
  );
const newTrace = (digit: string) => ({
  id: digit.repeat(32),
  header: { traceparent: `00-${digit.repeat(32)}-${digit.repeat(16)}-01` },
});
const post = (id: string, headers: Record<string, string>) =>
  fetch(`${stack.url}/v1/threads/${id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ messages: talk }),
  });

describe('traces', () => {
  test('one trace leads from the POST of a caller to the committed summary', async () => {
    await api.createThread({ id: 'traced', policy: small });
    const { id, header } = newTrace('a');
    expect((await post('traced', header)).status).toBe(201);
    await arrived(id);
    const spans = traceOf(id);
    const named = (name: string) => {
      const found = spans.filter((span) => span.name === name);
      expect(found, name).toHaveLength(1);
      return found[0]!;
    };
    const request = named('POST /v1/threads/{id}/messages');
    expect(request).toMatchObject({
      service: 'spillway-api',
      parentSpanId: 'a'.repeat(16),
      attributes: { 'http.response.status_code': 201, 'http.route': '/v1/threads/{id}/messages' },
    });
    const fold = named('compact thread');
    expect(fold).toMatchObject({
      service: 'spillway-worker',
      parentSpanId: request.spanId,
      attributes: { 'spillway.outcome': 'done', 'spillway.generation': 1 },
    });
    for (const name of ['plan', 'summarize', 'commit generation'])
      expect(named(name).parentSpanId).toBe(fold.spanId);
    expect(spans.find(({ name }) => name.startsWith('chat '))).toMatchObject({
      parentSpanId: named('summarize').spanId,
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai' },
    });
    expect(
      spans.find(({ name }) => name.startsWith('chat '))!.attributes['gen_ai.usage.input_tokens'],
    ).toBeGreaterThan(0);
  });

  test('an attempt names its trace, and so do the lines of both logs', async () => {
    await api.createThread({ id: 'logged', policy: small });
    const { id, header } = newTrace('b');
    await post('logged', header);
    await until('it is compacted', async () => (await api.thread('logged')).compaction.generation === 1);
    const { body } = await api.call('GET', '/v1/threads/logged/compactions');
    expect((body as { data: { trace_id: string }[] }).data).toMatchObject([{ trace_id: id }]);
    for (const app of [stack.api, stack.workers[0]!]) expect(app.output()).toContain(`"trace":"${id}"`);
  });

  test('hold no text of clients and models, and no id that a client chose', async () => {
    await api.createThread({ id: 'private-id', policy: small });
    const { id, header } = newTrace('c');
    await post('private-id', header);
    await arrived(id);
    const all = JSON.stringify(traceOf(id));
    expect(all).not.toContain('private-id');
    expect(all).not.toContain(stack.key);
    for (const { content } of talk) expect(all).not.toContain(String(content).slice(0, 20));
  });

  test('a failing model fails its span, with the kind of the failure and not its text', async () => {
    const plain = llm.answer;
    llm.answer = () => ({ status: 400, body: { error: { message: 'a secret of the provider' } } });
    await api.createThread({ id: 'failing', policy: small });
    const { id, header } = newTrace('d');
    await post('failing', header);
    await arrived(id);
    llm.answer = plain;
    expect(traceOf(id).find(({ name }) => name.startsWith('chat '))).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'rejected' },
    });
    expect(traceOf(id).find(({ name }) => name === 'compact thread')!.status.code).toBe(2);
    expect(JSON.stringify(traceOf(id))).not.toContain('secret');
  });

  test('a call of an MCP tool is a part of its request, and one that fails says so', async () => {
    const { id, header } = newTrace('6');
    await api.call('PUT', '/v1/threads/called', {
      policy: { outputs: { tool_names: { search_history: 'my_secret_recall' } } },
    });
    const { body } = await api.call<{ token: string }>('POST', '/v1/threads/called/tokens', {
      scopes: ['context:read', 'outputs:read'],
    });
    const call = async (params: object) => {
      const answer = await fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${body.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...header,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      expect(answer.status).toBe(200);
      await answer.text();
    };
    await call({ name: 'my_secret_recall', arguments: { q: 'a private question' } });
    await call({ name: 'read_message', arguments: { seq: 900 } });
    await until('both calls arrive', () =>
      Promise.resolve(traceOf(id).filter(({ name }) => name.startsWith('tools/call')).length === 2),
    );
    const requests = traceOf(id).filter(({ name }) => name === 'POST /mcp');
    const found = (name: string) => traceOf(id).find((span) => span.name === name)!;
    const search = found('tools/call search_history');
    expect(search).toMatchObject({
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'search_history' },
    });
    expect(search.status.code).not.toBe(2);
    expect(requests.map(({ spanId }) => spanId)).toContain(search.parentSpanId);
    expect(found('tools/call read_message')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'tool_error' },
    });
    const all = JSON.stringify(traceOf(id));
    for (const text of ['private', 'my_secret']) expect(all).not.toContain(text);
  });

  test(
    'an attempt to deliver a webhook is a trace, which its receiver can continue',
    { tags: 'long' },
    async () => {
      const sender = await stack.startWorker({ SPILLWAY_POLL_MS: '200' });
      const got: (string | undefined)[] = [];
      const receiver = createServer((request, response) => {
        got.push(request.headers.traceparent as string | undefined);
        request.resume();
        response.writeHead(got.length === 1 ? 503 : 204).end();
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/private-path`;
      const { status, body } = await api.call<{ id: string }>('POST', '/v1/webhooks', {
        url,
        types: ['thread.erased'],
      });
      expect(status).toBe(201);
      await api.call('POST', `/v1/webhooks/${body.id}/test`);
      const deliveries = () => collector.spans.filter(({ name }) => name === 'deliver webhook');
      await until('the first attempt arrives', () => Promise.resolve(deliveries().length === 1));
      await rowsOf(
        stack.databaseUrl,
        `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending'`,
      );
      await until('the second attempt arrives', () => Promise.resolve(deliveries().length === 2));
      receiver.close();
      const [first, second] = deliveries();
      expect(first).toMatchObject({
        service: 'spillway-worker',
        status: { code: 2 },
        attributes: { 'spillway.outcome': 'retried', 'http.response.status_code': 503, 'error.type': '503' },
      });
      expect(second).toMatchObject({
        attributes: { 'spillway.outcome': 'delivered', 'http.response.status_code': 204 },
      });
      expect(second!.status.code).not.toBe(2);
      expect(got).toEqual([first!, second!].map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
      expect(JSON.stringify(deliveries())).not.toContain('private');
      expect((await api.call('DELETE', `/v1/webhooks/${body.id}`)).status).toBe(204);
      await sender.stop();
    },
  );

  test('neither a request of a caller who does not sample is sent, nor its fold, and no attempt names it', async () => {
    const trace = 'e'.repeat(32);
    await api.createThread({ id: 'unsampled', policy: small });
    const folds = () => collector.spans.filter(({ name }) => name === 'compact thread').length;
    const before = folds();
    await post('unsampled', { traceparent: `00-${trace}-${'e'.repeat(16)}-00` });
    await until('it is compacted', async () => (await api.thread('unsampled')).compaction.generation === 1);
    const { body } = await api.call('GET', '/v1/threads/unsampled/compactions');
    expect((body as { data: { trace_id: unknown }[] }).data).toMatchObject([{ trace_id: null }]);
    const { id, header } = newTrace('f');
    await api.createThread({ id: 'sampled-later', policy: small });
    await post('sampled-later', header);
    await arrived(id);
    expect(folds()).toBe(before + 1);
    expect(traceOf(trace)).toEqual([]);
  });

  test(
    'are sent as protobuf unless told otherwise, and a collector that is down costs no request',
    { tags: 'long' },
    async () => {
      const other = await stack.startApi({ OTEL_EXPORTER_OTLP_PROTOCOL: '' });
      await apiOf({ url: other.url, key: stack.key }).createThread({ id: 'protobuf' });
      await until('protobuf arrives', () =>
        Promise.resolve(collector.requests.some(({ type }) => type === 'application/x-protobuf')),
      );
      expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
      const alone = await stack.startApi({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      });
      await apiOf({ url: alone.url, key: stack.key }).createThread({ id: 'no-collector' });
      await until('the log says so', () => Promise.resolve(alone.output().includes('traces are not sent')));
      expect((await api.thread('no-collector')).id).toBe('no-collector');
    },
  );

  test('a setting that is not supported is refused at the start', async () => {
    await expect(stack.startApi({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).rejects.toThrow(
      'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json; it is grpc.',
    );
  });
});
