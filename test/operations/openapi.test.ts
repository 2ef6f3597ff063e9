import { readFileSync } from 'node:fs';
import { routes } from '@spillway/contracts';
import { apiOf } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { refusalIn } from '../refusal-in.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('api');
});

test('the document that is served is the one that is checked in', async () => {
  const served = await apiOf(stack).call('GET', '/openapi.json');
  const checkedIn: unknown = JSON.parse(readFileSync('libs/client/openapi.json', 'utf8'));
  expect(served.body).toEqual(checkedIn);
});

test('the reference UI is served from here', async () => {
  const page = await fetch(`${stack.url}/docs`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('swagger-ui');
});

test('every route of the contract exists, and says so in its own words', async () => {
  const api = apiOf(stack);
  for (const [key, route] of Object.entries(routes)) {
    const [method, path] = key.split(' ') as [string, string];
    const url = path
      .replace('{id}', 'nowhere')
      .replace('{generation}', '1')
      .replace('{name}', 'x')
      .replace('{seq}', '1')
      .replace('{model}', 'x');
    const answer = await api.call(method, url, route.body ? {} : undefined);
    expect(refusalIn(answer.body).code, key).not.toBe('not_found');
    expect(answer.status, key).toBeLessThan(500);
  }
});
