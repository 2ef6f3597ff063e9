import { createHash } from 'node:crypto';
import { apiOf, rowsOf, startStack, sweepNow, until, type Api, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilLocked } from '../until-locked.js';
import {
  beginUpload,
  call,
  filesIn,
  logOf,
  result,
  upload as send,
  type Content,
  type Problem,
  type Uploaded,
} from './upload-client.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_GRACE_MS: '1' } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const to = (thread: string, query = '') => ({ url: stack.url, key: stack.key, thread, query });
const lines = Array.from(
  { length: 3_000 },
  (_, i) => `line ${i + 1}: ${i === 1_999 ? 'ERROR disk full' : 'fine 😀'}`,
);
const log = `${lines.join('\n')}\n`;

/** A thread that waits for the result of a tool call, and an upload for it. */
async function uploaded(thread: string, content: Content = log, query = ''): Promise<Uploaded> {
  await api.append(thread, { role: 'user', content: 'run it' }, call());
  const { status, body } = await send(to(thread, query), content);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}
const post = (thread: string, messages: object[], query = '') =>
  api.call<Problem & { messages: { seq: number; output: { id: string } | null }[] }>(
    'POST',
    `/v1/threads/${thread}/messages${query}`,
    { messages },
  );
const read = (id: string, query = '') => api.call<string>('GET', `/v1/outputs/${id}/content${query}`);
const files = () => filesIn(stack.outputsFolder);

describe('an upload', () => {
  test('answers with the stub, and the message that holds the stub makes it readable', async () => {
    const { output, stub } = await uploaded('posted', log, '?tool=bash&tool_call_id=c1');
    expect(output).toMatchObject({
      ...{ thread_id: 'posted', seq: null, state: 'staging', tool: 'bash', tool_call_id: 'c1' },
      ...{ bytes: Buffer.byteLength(log), lines: 3_000, kind: 'log' },
      sha256: createHash('sha256').update(log).digest('hex'),
    });
    expect(stub).toContain(`[Output ${output.id} (log)`);
    expect(stub).toContain('line 2000: ERROR disk full');
    for (const path of ['', '/content', '/content?head=1'])
      expect((await api.call('GET', `/v1/outputs/${output.id}${path}`)).status).toBe(404);

    const [message] = (await api.append('posted', result(stub))).messages;
    expect(message).toMatchObject({ seq: 3, output: { id: output.id, state: 'ready', lines: 3_000 } });
    expect((await read(output.id)).body).toBe(log);
    expect((await read(output.id, '?lines=2000')).body).toBe(`${lines[1_999]}\n`);
    const found = await api.call<{ matches: { line: number }[] }>(
      'GET',
      `/v1/outputs/${output.id}/grep?pattern=ERROR`,
    );
    expect(found.body.matches.map(({ line }) => line)).toEqual([2_000]);
    const view = await api.call('GET', `/v1/outputs/${output.id}`);
    expect(view.body).toMatchObject({ state: 'ready', seq: 3, thread_id: 'posted', tool: 'bash' });
    const context = await api.context('posted');
    expect(context.messages).toEqual([{ role: 'user', content: 'run it' }, call(), result(stub)]);
    // What was posted is the stub, whatever the size of what it stands for.
    expect((await api.originals('posted'))[2]).toEqual(result(stub));
  });

  const inFormats = {
    openai: (stub: string) => [
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: stub }] },
    ],
    anthropic: (stub: string) => [
      { role: 'user', content: 'run both' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'sh', input: {} }, { type: 'tool_use', id: 'c', name: 'sh', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'small' }, { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: stub }] }] },
    ],
    responses: (stub: string) => [
      { type: 'function_call', call_id: 'c', name: 'sh', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: stub },
    ],
    'ai-sdk': (stub: string) => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'sh', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'sh', output: { type: 'text', value: stub } }] },
    ],
  }; // prettier-ignore
  test.each(Object.entries(inFormats))(
    'is recognised by its stub in the %s format',
    async (format, messages) => {
      const thread = `format-${format}`;
      // The stub is larger than what stays in the context here: it stays all the same.
      await api.createThread({ id: thread, policy: { outputs: { threshold_tokens: 50 } } });
      const { body } = await send(to(thread, '?tool_call_id=c'), log);
      const posted = await post(thread, messages(body.stub), `?format=${format}`);
      expect(posted.status, JSON.stringify(posted.body)).toBe(201);
      expect(posted.body.messages.at(-1)).toMatchObject({
        output: { id: body.output.id },
        message: messages(body.stub).at(-1),
      });
      const [row] = await rowsOf(
        stack.databaseUrl,
        'SELECT place, tool, tool_call_id FROM outputs WHERE id = $1',
        [body.output.id],
      );
      expect(row).toEqual({ place: format === 'anthropic' ? 1 : 0, tool: 'sh', tool_call_id: 'c' });
      const context = await api.context(thread, `?format=${format}`);
      expect(context.messages).toEqual(messages(body.stub));
      expect((await read(body.output.id, '?tail=1')).body).toBe('line 3000: fine 😀\n');
    },
  );

  test.each(['text/plain', 'application/json', 'application/octet-stream', 'application/xml', ''])(
    'is taken as it is under the media type %j',
    async (type) => {
      await api.append('typed', { role: 'user', content: 'x' });
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const sent = await fetch(`${stack.url}/v1/threads/typed/outputs`, {
        ...{ method: 'POST', body: Buffer.from('{"not": json') },
        headers: { authorization: `Bearer ${stack.key}`, ...headers },
      });
      expect([sent.status, ((await sent.json()) as Uploaded).output.bytes]).toEqual([201, 12]);
    },
  );

  test('keeps its bytes when they are not UTF-8; reads by lines replace what is wrong', async () => {
    const bytes = Buffer.concat([
      Buffer.from('fine\n'),
      Buffer.from([0xff, 0xc3, 0x28, 0x0a, 0]),
      Buffer.from('end\n'),
    ]);
    const { output, stub } = await uploaded('binary', bytes);
    await api.append('binary', result(stub));
    const whole = await fetch(`${stack.url}/v1/outputs/${output.id}/content`, {
      headers: { authorization: `Bearer ${stack.key}` },
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await read(output.id, '?lines=2')).body).toBe('\ufffd\ufffd(\n');
  });

  test('needs a thread, and at least a byte', async () => {
    expect(await send<Problem>(to('nobody'), 'x')).toMatchObject({
      status: 404,
      body: { code: 'thread_not_found' },
    });
    await api.append('empty', { role: 'user', content: 'x' });
    expect(await send<Problem>(to('empty'), '')).toMatchObject({
      status: 422,
      body: { code: 'invalid_request' },
    });
    expect(await send<Problem>(to('empty', '?nonsense=1'), 'x')).toMatchObject({ status: 422 });
  });

  test('runs beside another, and each has its own bytes', async () => {
    await api.append('two', { role: 'user', content: 'x' }, call('a'), result('y', 'a'), call('b'));
    const [one, two] = await Promise.all([send(to('two'), logOf(3)), send(to('two'), logOf(2))]);
    const posted = await post('two', [result(one.body.stub, 'b')]);
    await api.append('two', call('d'), result(two.body.stub, 'd'));
    expect(posted.body.messages[0]!.output!.id).toBe(one.body.output.id);
    for (const { body } of [one, two]) {
      const content = (await read(body.output.id)).body;
      expect(createHash('sha256').update(content).digest('hex')).toBe(body.output.sha256);
    }
  });

  test('is one of four that a key may run at a time', async () => {
    await api.append('many', { role: 'user', content: 'x' });
    const open = Array.from({ length: 4 }, () => beginUpload(to('many')));
    const closed = open.map(
      (sent) => new Promise((resolve) => sent.on('error', () => undefined).once('close', resolve)),
    );
    const before = files().length;
    for (const sent of open) sent.write('some');
    await until('four are under way', () => Promise.resolve(files().length === before + 4));
    expect(await send<Problem>(to('many'), 'x')).toMatchObject({
      ...{ status: 429, body: { code: 'too_many_requests' } },
    });
    for (const sent of open) sent.destroy();
    await Promise.all(closed);
    await until('one more is taken', async () => (await send(to('many'), 'x')).status === 201);
  });
});

describe('a stub', () => {
  test('posted again by a retry is the same message; in another message it is refused', async () => {
    const { output, stub } = await uploaded('twice');
    const message = { ...result(stub), id: 'm1' };
    const first = await post('twice', [message]);
    const retry = await post('twice', [message]);
    expect([first.status, retry.status]).toEqual([201, 200]);
    expect(retry.body.messages[0]).toMatchObject({ seq: 3, output: { id: output.id } });
    for (const other of [result(stub), { ...result(stub), id: 'm2' }])
      expect(await post('twice', [other])).toMatchObject({
        ...{ status: 409, body: { code: 'output_posted', errors: [{ path: '/messages/0' }] } },
      });
    expect((await api.thread('twice')).last_seq).toBe(3);
  });

  test('can be taken by one message of a call, and by one of two calls', async () => {
    const { stub } = await uploaded('raced');
    expect(await post('raced', [result(stub), result(stub)])).toMatchObject({ status: 409 });
    // Both have seen the upload free before either can write.
    const holder = new pg.Client({ connectionString: stack.databaseUrl });
    await holder.connect();
    await holder.query(`BEGIN; SELECT FROM threads WHERE id = 'raced' FOR UPDATE`);
    const both = [post('raced', [result(stub)]), post('raced', [result(stub)])];
    await untilLocked(stack.databaseUrl, 2);
    await holder.query('COMMIT');
    await holder.end();
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await api.thread('raced')).last_seq).toBe(3);
  });

  test('of another thread, for another call, or changed, is refused, and the right message is still taken', async () => {
    const { output, stub } = await uploaded('owner', log, '?tool_call_id=c1');
    await api.append('other', call());
    const refusals = await Promise.all([
      post('other', [result(stub)]),
      post('owner', [result(stub, 'c2')]),
      post('owner', [result(`${stub}\nand more`)]),
    ]);
    for (const refused of refusals)
      expect(refused).toMatchObject({
        ...{ status: 422, body: { code: 'invalid_request', errors: [{ path: '/messages/0' }] } },
      });
    expect((await post('owner', [result(stub)])).body.messages[0]!.output!.id).toBe(output.id);
    // Once it is posted, its stub elsewhere is text, as every stub is that a client copies.
    expect((await post('other', [result(stub)])).body.messages[0]!.output).toBeNull();
  });

  test('that is posted too late is refused: its bytes are swept', async () => {
    const { output, stub } = await uploaded('late');
    const before = files().length;
    await sweepNow(stack);
    expect(files().length).toBe(before);
    await rowsOf(
      stack.databaseUrl,
      `UPDATE outputs SET created_at = now() - interval '61 minutes' WHERE id = $1`,
      [output.id],
    );
    await sweepNow(stack);
    expect(files().length).toBe(before - 1);
    expect(await post('late', [result(stub)])).toMatchObject({ status: 410, body: { code: 'output_gone' } });
    const listed = await api.call<{ data: { id: string }[] }>('GET', '/v1/outputs?limit=200');
    expect(listed.body.data.map(({ id }) => id)).not.toContain(output.id);
  });
});
