import { launchBrowser } from '@spillway/testing';
import { expect, test } from 'vitest';
import { hostile } from './hostile.js';

const { api, stack, key } = hostile('bounds');
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(stack.url + path, { headers: { authorization: `Bearer ${key}`, ...headers }, redirect: 'manual' });

test('A88 every answer tells a browser to take it for what it is, to frame and to keep nothing', async () => {
  await api.createThread({ id: 'there' });
  for (const path of [
    '/v1/threads',
    '/v1/threads/there/context',
    '/v1/threads/nowhere',
    '/nowhere',
    '/healthz',
    '/openapi.json',
    '/docs',
    '/v1/threads/%ff',
    '/v1/threads?limit=x',
  ]) {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('x-frame-options'), path).toBe('DENY');
    expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(headers.get('cache-control'), path).toBe('no-store');
    expect(headers.get('content-security-policy'), path).toContain("default-src 'none'");
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
    expect(headers.get('x-powered-by'), path).toBeNull();
    expect(headers.get('server'), path).toBeNull();
    expect(headers.get('x-request-id'), path).toBeTruthy();
  }
});

test('A86 what a client wrote comes back as JSON, and a browser is told so', async () => {
  const script = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
  await api.createThread({ id: 'xss', metadata: { title: script }, model: script });
  const { headers } = await get('/v1/threads/xss');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  const refused = await get(`/v1/threads/${encodeURIComponent(script)}`);
  expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(await refused.text()).not.toContain('<');
});

test('A93 no page of another origin may read an answer', async () => {
  for (const origin of ['null', 'https://evil.example', stack.url])
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await fetch(`${stack.url}/v1/threads`, {
        method,
        headers: { origin, authorization: `Bearer ${key}`, 'access-control-request-method': 'DELETE' },
      });
      for (const name of ['origin', 'credentials', 'methods', 'headers'])
        expect(answer.headers.get(`access-control-allow-${name}`), `${method} ${origin}`).toBeNull();
    }
});

test('A92 what a scanner asks for is not there, and what is open says nothing of a project', async () => {
  await api.append('planted-thread', { role: 'user', content: 'planted content' });
  for (const path of [
    '/.env',
    '/.git/config',
    '/metrics',
    '/main.js.map',
    '/dist/main.js',
    '/_next/image?url=http://169.254.169.254',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/server-status',
    '/debug',
    '/admin',
  ])
    expect((await get(path)).status, path).toBe(404);
  for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
    const answer = await fetch(stack.url + path);
    expect(answer.status, path).toBe(200);
    expect(await answer.text(), path).not.toContain('planted');
  }
});

test('A94 nothing redirects', async () => {
  for (const path of [
    '/docs?next=//evil.example',
    '/v1/threads?next=//evil.example',
    '//evil.example',
    '/%5cevil.example',
    '/docs/',
  ])
    expect((await get(path)).headers.get('location'), path).toBeNull();
});

test('A88 the reference UI runs under its policy', async () => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${stack.url}/docs`);
    await page.waitForSelector('.opblock');
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});
