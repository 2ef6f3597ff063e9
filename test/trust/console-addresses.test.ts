import {
  apiOf,
  rowsOf,
  startConsole,
  startStack,
  until,
  type AppProcess,
  type Stack,
} from '@spillway/testing';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let site: AppProcess;
beforeAll(async () => {
  // The console calls the API from 127.0.0.1. Clients connect from other addresses of this machine.
  const env = { SPILLWAY_TRUSTED_PROXIES: '127.0.0.1', SPILLWAY_TIME_DIVISOR: '10' };
  stack = await startStack({ workers: 0, redis: false, env });
  site = await startConsole(stack.url);
});
afterAll(async () => {
  await site?.kill();
  await stack?.stop();
});

interface Answer {
  status: number;
  text: string;
  cookie: string | undefined;
}

/** Sends a request from an address of this machine. */
async function from(
  address: string,
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: FormData } = {},
): Promise<Answer> {
  const encoded = body && new Response(body);
  const type = encoded?.headers.get('content-type');
  const bytes = encoded && Buffer.from(await encoded.arrayBuffer());
  const sent = { ...headers, ...(type ? { 'content-type': type, 'content-length': bytes!.length } : {}) };
  return new Promise((answered, failed) => {
    const asked = request(url, { method, localAddress: address, headers: sent, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        answered({
          status: response.statusCode!,
          text: Buffer.concat(chunks).toString(),
          cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
        }),
      );
    });
    asked.on('error', failed);
    asked.end(bytes);
  });
}

/** Posts the form of the sign-in page as a browser without scripts does. */
async function signInFrom(address: string, key: string, headers: object = {}): Promise<Answer> {
  const page = await from(address, `${site.url}/login`);
  const body = new FormData();
  for (const [input] of page.text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)![1]!;
    const value = /value="([^"]*)"/.exec(input)?.[1] ?? '';
    body.set(name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  }
  body.set('key', key);
  const sent = { origin: site.url, ...headers };
  return from(address, `${site.url}/login`, { method: 'POST', headers: sent, body });
}

async function newKey(): Promise<string> {
  const { body } = await apiOf(stack).call<{ key: string }>('POST', '/v1/keys', {
    ...{ name: 'person', scopes: ['context:read'] },
  });
  return body.key;
}

/** Tries wrong keys, of which the API allows an address a hundred in ten seconds. */
const guessFrom = (address: string) =>
  Promise.all(
    Array.from({ length: 110 }, (_, n) => {
      const headers = { authorization: `Bearer sw_guess_${n}` };
      return from(address, `${stack.url}/v1/threads`, { headers });
    }),
  );

test('who tries wrong keys keeps nobody else from signing in at the console, and cannot choose an address', async () => {
  const spoofed = { 'x-forwarded-for': '203.0.113.9' };
  const throttled = /Too many tries to sign in/;
  await until('the address is told to wait', async () => {
    // The limit counts in windows of ten seconds, which may end in between.
    await guessFrom('127.0.0.2');
    const tries = [
      await signInFrom('127.0.0.2', await newKey()),
      await signInFrom('127.0.0.2', await newKey(), spoofed),
    ];
    return tries.every(({ text }) => throttled.test(text));
  });
  const other = await signInFrom('127.0.0.3', await newKey());
  expect(other.text).not.toMatch(throttled);
  expect([other.status, other.cookie]).toEqual([303, expect.stringMatching(/^spillway_session=/)]);
  expect((await from('127.0.0.3', `${site.url}/threads`, { headers: { cookie: other.cookie } })).status).toBe(
    200,
  );
});

test('the audit log has the address of each client of the console, also of one that sends another', async () => {
  const key = await newKey();
  const { cookie } = await signInFrom('127.0.0.4', key);
  const headers = { cookie, 'x-forwarded-for': '203.0.113.9, 127.0.0.1' };
  // The key may not list keys.
  expect((await from('127.0.0.4', `${site.url}/api/v1/keys`, { headers })).status).toBe(403);
  await until('the refusal is in the audit log', async () => {
    const rows = await rowsOf<{ details: string }>(
      stack.databaseUrl,
      `SELECT a::text AS details FROM audit_log a WHERE a::text LIKE '%127.0.0.4%'`,
    );
    return rows.length > 0;
  });
  const [lied] = await rowsOf<{ n: number }>(
    stack.databaseUrl,
    `SELECT count(*)::int AS n FROM audit_log a WHERE a::text LIKE '%203.0.113.9%'`,
  );
  expect(lied).toEqual({ n: 0 });
});
