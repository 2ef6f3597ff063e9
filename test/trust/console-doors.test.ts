// @module-tag long
import {
  apiOf,
  launchBrowser,
  signIn,
  startConsole,
  startStack,
  until,
  type Api,
  type AppProcess,
  type Stack,
} from '@spillway/testing';
import type { Browser } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const script =
  '<img src=x onerror="window.bitten=1"><script>window.bitten=1</script>{{7*7}} javascript:alert(1)';

let stack: Stack;
let api: Api;
let site: AppProcess;
let browser: Browser;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_TIME_DIVISOR: '10' } });
  api = apiOf(stack);
  site = await startConsole(stack.url);
  browser = await launchBrowser();
  await api.createThread({ id: 'bitten', metadata: { title: script }, model: script });
  await api.append(
    'bitten',
    { role: 'user', content: script },
    { role: 'user', name: 'a', content: `${script} again` },
  );
});
afterAll(async () => {
  await browser?.close();
  await site?.kill();
  await stack?.stop();
});

/** Signs in as a person does, and returns the cookie. */
async function cookieOf(key = stack.key): Promise<string> {
  const context = await browser.newContext();
  await signIn(await context.newPage(), site.url, key);
  const [cookie] = await context.cookies();
  await context.close();
  return `${cookie!.name}=${cookie!.value}`;
}
const ask = (path: string, cookie: string, init: RequestInit = {}) =>
  fetch(site.url + path, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
const sameSite = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

/** The API trusts a session that it knows for a while; then it looks again. */
const untilRefused = (cookie: string) =>
  until('the session is refused', async () => {
    const { status } = await ask('/api/v1/threads', cookie);
    return status !== 200 && status;
  });

test('A86 what a client wrote is text in every page', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, site.url, stack.key);
  for (const path of ['/threads', '/threads/bitten', '/threads/bitten?tab=context']) {
    await page.goto(site.url + path);
    await page.waitForTimeout(500);
    expect(await page.evaluate('window.bitten'), path).toBeUndefined();
  }
  await context.close();
});

describe('A87 a request that another site made changes nothing', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [
      'from a neighbour of the domain',
      { 'sec-fetch-site': 'same-site', origin: 'http://neighbour.127.0.0.1' },
    ],
    ['from an old browser, of another origin', { origin: 'https://evil.example' }],
    ['from nowhere', { origin: 'null' }],
    ['that does not say', {}],
  ])('%s', async (_name, headers) => {
    const cookie = await cookieOf();
    for (const [method, path, body] of [
      ['POST', '/api/v1/threads', '{"id":"forged"}'],
      ['DELETE', '/api/v1/threads/bitten', undefined],
      ['PUT', '/api/v1/policy', '{}'],
    ] as const) {
      const answer = await ask(path, cookie, {
        method,
        headers: { 'content-type': 'text/plain', ...headers },
        ...(body ? { body } : {}),
      });
      expect(answer.status, path).toBe(403);
    }
    expect((await api.call('GET', '/v1/threads/forged')).status).toBe(404);
    expect((await api.thread('bitten')).last_seq).toBe(2);
  });

  test('and one of the console itself does', async () => {
    const cookie = await cookieOf();
    const made = await ask('/api/v1/threads', cookie, {
      method: 'POST',
      headers: sameSite,
      body: '{"id":"meant"}',
    });
    expect(made.status).toBe(201);
  });
});

describe('A89 a session', () => {
  test('is new with each sign-in, holds no key, and is worth nothing after signing out', async () => {
    const [one, two] = [await cookieOf(), await cookieOf()];
    expect(one).not.toBe(two);
    expect(one).not.toContain(stack.key);
    expect((await ask('/api/v1/threads', one)).status).toBe(200);
    const ended = await ask('/api/v1/sessions/current', one, { method: 'DELETE', headers: sameSite });
    expect(ended.status).toBe(204);
    expect(await untilRefused(one)).toBe(401);
    expect((await ask('/api/v1/threads', two)).status).toBe(200);
  });

  test('ends with the key it was begun with', async () => {
    const made = await api.call<{ id: string; key: string }>('POST', '/v1/keys', {
      name: 'p',
      scopes: ['context:read'],
    });
    const own = await cookieOf(made.body.key);
    expect((await ask('/api/v1/threads', own)).status).toBe(200);
    expect((await ask('/api/v1/keys', own)).status).toBe(403);
    await api.call('DELETE', `/v1/keys/${made.body.id}`);
    expect(await untilRefused(own)).toBe(401);
  });

  test('that was made up or changed is none', async () => {
    const cookie = await cookieOf();
    for (const forged of [
      '',
      'spillway_session=x',
      `${cookie.slice(0, -4)}AAAA`,
      cookie.replace('=', '=Fe26.2*1*'),
      `spillway_session=${stack.key}`,
    ])
      expect((await ask('/api/v1/threads', forged)).status).toBe(401);
  });
});

describe('A90 without a session no page and no handler shows anything', () => {
  /** Every page and handler that the build knows of. */
  const built = (): string[] => {
    const manifest = readFileSync('apps/console/.next/server/app-paths-manifest.json', 'utf8');
    return Object.keys(JSON.parse(manifest) as Record<string, string>)
      .filter((path) => !path.startsWith('/_'))
      .map((path) => path.replace(/\/(page|route)$/, '') || '/')
      .map((path) => path.replace('[...path]', 'v1/threads').replace('[id]', 'bitten'));
  };
  const ways: [string, string, Record<string, string>][] = [
    ['plainly', '', {}],
    [
      'as a subrequest of the middleware',
      '',
      { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
    ],
    ['as a component', '?_rsc=abc', { rsc: '1', 'next-router-state-tree': '%5B%22%22%5D' }],
    [
      'as a prefetch',
      '',
      { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
    ],
    ['as a rewritten path', '', { 'x-nextjs-rewritten-path': '/threads', 'x-invoke-path': '/threads' }],
    ['with a header of ours', '', { 'x-here': '/threads', 'x-nonce': 'x' }],
  ];
  test.each(ways)('%s', async (_name, query, headers) => {
    const paths = built();
    expect(paths.length).toBeGreaterThan(6);
    for (const path of paths) {
      const answer = await fetch(site.url + path + query, { redirect: 'manual', headers });
      const text = await answer.text();
      expect(answer.status, path).toBeLessThan(500);
      expect(text, path).not.toContain('bitten=1');
      expect(text, path).not.toContain(stack.key);
      if (path.startsWith('/api')) expect([307, 401], path).toContain(answer.status);
    }
  });

  test('a server action with a made-up id does nothing', async () => {
    const answer = await fetch(`${site.url}/threads`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'next-action': '0'.repeat(42),
        'content-type': 'text/plain;charset=UTF-8',
        origin: site.url,
      },
      body: '[]',
    });
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).not.toContain('bitten=1');
  });
});

test('A88 pages are not framed, kept or sniffed', async () => {
  const cookie = await cookieOf();
  const page = await ask('/threads', cookie);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('cache-control')).toContain('no-store');
});

test('A92 A94 what a scanner asks for is not there, and sign-in leads to no other site', async () => {
  for (const path of ['/.env', '/.git/config', '/_next/image?url=http%3A%2F%2F169.254.169.254%2F&w=64&q=75'])
    expect((await fetch(site.url + path)).status, path).toBeGreaterThanOrEqual(400);
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/threads/..//evil.example/%E0%A4%A',
    'javascript:alert(1)',
    'https://evil.example',
  ]) {
    const text = await (await fetch(`${site.url}/login?next=${encodeURIComponent(next)}`)).text();
    expect(text).toContain('name="next" value="/"');
  }
});

// The last one: the API refuses new keys of this address for some seconds.
test('a sign-in after too many tries is told so, and when to try again, not that its key was revoked', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const error = page.getByRole('alert');
  const enter = async (key: string) => {
    await page.locator('input:visible').first().fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(`${site.url}/login`);
  await enter('sw_wrong');
  await error.getByText('The API does not accept this key. It may have been revoked.').waitFor();
  let tried = 0;
  const guess = () => apiOf({ url: stack.url, key: `sw_guess_${tried++}` }).call('POST', '/v1/sessions');
  await until('the sign-in is told to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, guess));
    const seconds = Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'));
    // The limit counts in windows of ten seconds: this one may end before the key is entered.
    if (!(seconds > 1)) return false;
    expect(seconds).toBeLessThanOrEqual(10);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await enter(`sw_wrong_${tried}`);
    await answered;
    return /^Too many tries to sign in\. Try again in \d+ s\.$/.test((await error.allInnerTexts()).join(''));
  });
  await context.close();
});
