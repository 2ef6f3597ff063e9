import { describe, expect, test } from 'vitest';
import { hostile, raw, statuses } from './hostile.js';

const { api, key, refused, stack } = hostile('http');
const auth = `Host: x\r\nAuthorization: Bearer ${key}\r\n`;
const post = `POST /v1/threads HTTP/1.1\r\n${auth}Content-Type: application/json\r\n`;
/** What any of this may leave behind. */
const isServed = async () => expect((await api.call('GET', '/v1/threads')).status).toBe(200);

describe('A20 lengths that lie', () => {
  test.each([
    ['negative', `${post}Content-Length: -1\r\n\r\n{}`],
    ['no number', `${post}Content-Length: 2x\r\n\r\n{}`],
    ['two of them', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`],
    ['a list', `${post}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunked, but not last', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a chunk size that is none', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk size that overflows', `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`],
    ['too large to be true', `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
  ])('%s: refused, and the connection is closed', async (_what, bytes) => {
    const received = await raw(bytes, { keepOpen: true });
    expect(statuses(received)).toEqual([400]);
    expect(received).toContain('application/problem+json');
    expect(received).toContain('"code":"bad_http"');
    expect(received.toLowerCase()).toContain('connection: close');
    await isServed();
  });

  test('short: what is left over is no second request', async () => {
    const received = await raw(`${post}Content-Length: 2\r\n\r\n{}GARBAGE / HTTP/1.1\r\n\r\n`);
    expect(statuses(received).at(-1)).toBe(400);
    expect(statuses(received).length).toBeLessThanOrEqual(2);
  });

  test('a body that ends early is no request', async () => {
    const received = await raw(`${post}Content-Length: 100\r\n\r\n{"id":"half"`);
    expect(statuses(received).every((status) => status >= 400 && status < 500)).toBe(true);
    expect((await api.call('GET', '/v1/threads/half')).status).toBe(404);
  });
});

test('A20 chunks without end are cut off at the limit', async () => {
  const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const received = await raw(`${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(160)}`, {
    keepOpen: true,
  });
  expect(statuses(received)).toEqual([413]);
  await isServed();
});

test('A23 large headers, many headers and long addresses are refused', async () => {
  const get = (path: string, headers = '') =>
    raw(`GET ${path} HTTP/1.1\r\n${auth}${headers}\r\n`, { keepOpen: true });
  const large = await get('/v1/threads', `X-Large: ${'x'.repeat(20_000)}\r\n`);
  expect(statuses(large)).toEqual([431]);
  expect(large).toContain('"code":"headers_too_large"');
  const close = 'Connection: close\r\n';
  const many = (n: number) => Array.from({ length: n }, (_, i) => `h${i}: 1\r\n`).join('');
  expect(statuses(await get('/v1/threads', close + many(5_000)))).toEqual([431]);
  expect(statuses(await get('/v1/threads', close + many(500)))).toEqual([431]);
  const long = await get(`/v1/threads?q=${'x'.repeat(10_000)}`, close);
  expect(statuses(long)).toEqual([414]);
  expect(long).toContain('"code":"uri_too_long"');
  expect(statuses(await get(`/v1/threads/${'x'.repeat(10_000)}`, close))).toEqual([414]);
  await isServed();
});

test('A35 a line break in an address or a header starts no header of ours', async () => {
  for (const path of [
    '/v1/threads/a%0d%0aX-Evil:%201',
    '/v1/threads?q=%0d%0aX-Evil:1',
    '/v1/outputs/%0d%0a',
  ]) {
    const answer = await api.call('GET', path);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('x-evil')).toBeNull();
  }
  expect((await refused('POST', '/v1/threads', { id: 'a\r\nX-Evil: 1' })).status).toBe(422);
  const received = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\rX-Evil: 1\r\n\r\n`, {
    keepOpen: true,
  });
  expect(statuses(received)).toEqual([400]);
  const echoed = await api.call('GET', '/healthz', undefined, { 'x-request-id': 'a b;<script>' });
  expect(echoed.headers.get('x-request-id')).not.toContain('script');
});

test('A49 after a body that was too large nothing on its connection is taken for a request', async () => {
  const body = 'x'.repeat(9 * 1024 * 1024);
  const smuggled = `DELETE /v1/threads/kept HTTP/1.1\r\n${auth}\r\n`;
  await api.createThread({ id: 'kept' });
  const sized = `${post}Content-Length: ${body.length}\r\n\r\n${body}${smuggled}`;
  expect(statuses(await raw(sized, { keepOpen: true }))).toEqual([413]);
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n${smuggled}`;
  expect(statuses(await raw(chunked, { keepOpen: true }))).toEqual([413]);
  expect((await api.thread('kept')).id).toBe('kept');
});

test('A49 requests that were sent ahead are answered one by one, in order', async () => {
  const get = (path: string, last = '') => `GET ${path} HTTP/1.1\r\n${auth}${last}\r\n`;
  const received = await raw(
    get('/healthz') + get('/v1/threads/nowhere') + get('/healthz', 'Connection: close\r\n'),
    { keepOpen: true },
  );
  expect(statuses(received)).toEqual([200, 404, 200]);
});

test('what is no HTTP is refused as a problem document', async () => {
  for (const bytes of [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET / HTTP/9.9\r\n\r\n',
    'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n',
    '\r\n\r\n\0\0\0',
  ]) {
    const received = await raw(bytes, { keepOpen: true });
    expect(statuses(received), JSON.stringify(bytes)).toEqual([400]);
    expect(received, JSON.stringify(bytes)).toMatch(/^content-type: application\/problem\+json/im);
    expect(received, JSON.stringify(bytes)).toMatch(/^x-request-id: \S/im);
  }
  await isServed();
});

describe('A8 a method or an address that is written otherwise gets no further', () => {
  test.each([
    '/v1/threads/',
    '//v1/threads',
    '/v1//threads',
    '/v1/./threads',
    '/v1/x/../threads',
    '/v1/%2e%2e/v1/threads',
    '/v1%2fthreads',
    '/v1/threads;x=1',
    '/V1/THREADS',
    '/v1/threads%00',
    '/v1/threads%20',
    '/%76%31/threads',
    '/v1/threads.json',
    '/v1/threads/%2e',
    '/v1/threads/..%2f..%2fhealthz',
  ])('%s', async (path) => {
    const head = (authorization: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}\r\n`;
    const [stranger] = statuses(await raw(head(''), { keepOpen: true }));
    expect([401, 404]).toContain(stranger);
    const [known] = statuses(await raw(head(`Authorization: Bearer ${key}\r\n`), { keepOpen: true }));
    expect([200, 404, 422]).toContain(known);
  });

  test('HEAD is GET without a body, and asks for the same key', async () => {
    expect((await fetch(`${stack.url}/v1/threads`, { method: 'HEAD' })).status).toBe(401);
    const head = await api.call('HEAD', '/v1/threads');
    expect([head.status, head.body]).toEqual([200, '']);
  });

  test('OPTIONS, TRACE and methods of other routes find nothing', async () => {
    for (const method of ['OPTIONS', 'DELETE', 'PUT'])
      expect((await refused(method, '/v1/threads')).status, method).toBe(404);
    const trace = await raw(
      `TRACE /v1/threads HTTP/1.1\r\n${auth}X-Secret: planted\r\nConnection: close\r\n\r\n`,
      { keepOpen: true },
    );
    expect(statuses(trace)).toEqual([404]);
    expect(trace).not.toContain('planted');
    const connect = await raw(`CONNECT 127.0.0.1:5432 HTTP/1.1\r\n${auth}\r\n`, { keepOpen: true });
    expect(statuses(connect).every((status) => status >= 400)).toBe(true);
  });

  test('a header does not change the method', async () => {
    await api.createThread({ id: 'overridden' });
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override'])
      await api.call('GET', '/v1/threads/overridden', undefined, { [header]: 'DELETE' });
    await api.call('POST', '/v1/threads/overridden?_method=DELETE', {});
    expect((await api.thread('overridden')).id).toBe('overridden');
  });
});

test('A9 who a proxy says was asking changes nothing, and no answer is built from Host', async () => {
  const spoofed = {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'for=127.0.0.1;host=evil.example',
    'x-real-ip': '127.0.0.1',
    'x-original-url': '/healthz',
    'x-rewrite-url': '/healthz',
  };
  const stranger = await fetch(`${stack.url}/v1/threads`, { headers: spoofed });
  expect(stranger.status).toBe(401);
  for (const path of ['/v1/threads', '/openapi.json', '/docs', '/nowhere']) {
    const received = await raw(
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
      { keepOpen: true },
    );
    expect(received, path).not.toContain('evil.example');
  }
});
