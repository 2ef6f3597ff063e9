import { apiOf } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowedConsoleRig, type ConsoleRig } from '../console-rig.js';

let rig: ConsoleRig;
/** In blocks of 50: the newest are in the eleventh, and so are all that a link may need before them. */
const total = 545;

beforeAll(async () => {
  rig = await borrowedConsoleRig();
  const api = apiOf(rig.stack);
  await api.createThread({ id: 'opened', policy: { context: { context_window: 1_000_000 } } });
  const messages = Array.from({ length: total }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `Message ${i + 1}. ${'It has a few lines. '.repeat(20)}`,
  }));
  await api.append('opened', ...messages);
});
afterAll(() => rig?.stop());

/** Opens a page of the thread, and returns the blocks of messages that the browser then requested. */
async function requestedBy(path: string, seq: number): Promise<Set<string>> {
  const { page } = await rig.open();
  await rig.signIn(page);
  const requested = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/messages'))
      requested.add(`${Number(searchParams.get('after')) + 1}-${Number(searchParams.get('before')) - 1}`);
  });
  await rig.visit(page, path);
  await page.locator(`article[aria-label="Message ${seq}"]`).waitFor();
  await page.waitForLoadState('networkidle');
  await rig.close(page);
  return requested;
}

test('a thread that is opened requests no message but those around what it shows', async () => {
  // Those that came with the page are requested again where an event of the append arrives late.
  const requestedBeside = async (own: string, path: string, seq: number) =>
    [...(await requestedBy(path, seq))].filter((block) => block !== own);
  expect(await requestedBeside('501-550', '/threads/opened', total)).toEqual([]);
  expect(await requestedBeside('201-250', '/threads/opened?seq=225', 225)).toEqual([]);
  expect(await requestedBeside('201-250', '/threads/opened?seq=201', 201)).toEqual(['151-200']);
});
