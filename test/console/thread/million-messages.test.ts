// @module-tag long
import { apiOf, rowsOf, until, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedInPage, startConsoleRig, type ConsoleRig } from '../console-rig.js';

const total = 1_000_000;

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

/** A stack of its own: a million rows would slow down the files that share one. */
async function rigWithLongThread() {
  const own = await startConsoleRig();
  const added = apiOf(own.stack);
  await added.createThread({ id: 'million' });
  await added.append('million', { role: 'user', content: 'Message 1.' });
  await rowsOf(
    own.stack.databaseUrl,
    `WITH of AS (
       UPDATE threads SET next_seq = $1::int + 1, total_tokens = $1::int, generation = 1, last_generation = 1,
         covered_through = $1::int - 20, live_tokens = 100 WHERE id = 'million' RETURNING *
     ), summary AS (
       INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
         carried, fields, text, tokens, tokens_before, tokens_after, method)
       SELECT project_id, uid, 1, 1, 1, covered_through, covered_through, covered_through + 1, '{}', '{}', '', 1, $1::int,
         1, 'extractive' FROM of
     )
     INSERT INTO messages (project_id, thread_uid, seq, role, pinned, tokens, full_tokens, body, hash)
     SELECT project_id, uid, n, 'user', false, 1, 1, '{"role":"user","content":"Message ' || n || '."}', ''
     FROM of, generate_series(2, $1::int) n`,
    [total],
  );
  // Autovacuum comes by only once a minute.
  await rowsOf(own.stack.databaseUrl, 'ANALYZE messages');
  return own;
}

signedInPage((given) => ({ rig, api, page, complaints } = given), { makeRig: rigWithLongThread });

const message = (seq: number) => page.getByRole('article', { name: `Message ${seq}`, exact: true });
const list = () => page.getByRole('group', { name: /^Messages\. Keys/ });

/** Waits until a message is drawn within the list, where a person sees it. */
async function seen(seq: number): Promise<void> {
  await message(seq).getByText(`Message ${seq}.`).waitFor();
  const box = (await list().boundingBox())!;
  await expect
    .poll(async () => {
      const row = await message(seq).boundingBox();
      return row !== null && row.y >= box.y - 1 && row.y + row.height <= box.y + box.height + 1;
    })
    .toBe(true);
}

test('the newest of a million messages is shown when the thread is opened, by its address and by G', async () => {
  await rig.visit(page, '/threads/million');
  await seen(total);
  await rig.visit(page, `/threads/million?seq=${total - 200}`);
  await seen(total - 200);
  await rig.visit(page, '/threads/million?seq=1');
  await seen(1);
  await list().focus();
  await page.keyboard.press('Shift+G');
  await seen(total);
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await seen(1);
  expect(complaints).toEqual([]);
});

/** The first message that is in view. */
const topmost = async (): Promise<number> => {
  const label = await page.evaluate<string>(`(() => {
    const list = document.querySelector('[role=group][aria-label^="Messages. Keys"]');
    const edge = list.getBoundingClientRect().top;
    const inView = (row) => row.getBoundingClientRect().bottom > edge;
    return [...list.querySelectorAll('article')].find(inView)?.ariaLabel ?? '';
  })()`);
  return Number(label.split(' ')[1]);
};

/** Turns the wheel over the list, and returns the first message in view when it is drawn and at rest. */
async function wheel(pixels: number): Promise<number> {
  const before = await topmost();
  await page.mouse.wheel(0, pixels);
  let last = before;
  await until('the list is at rest', async () => {
    await page.waitForTimeout(300);
    const now = await topmost();
    const isAtRest = now !== before && now === last;
    last = now;
    return isAtRest;
  });
  await message(last).getByText(`Message ${last}.`).waitFor();
  return last;
}

test('a phone shows the whole number of a message, beside the line of its summary', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await rig.visit(page, '/threads/million');
  await seen(total);
  const number = (await message(total).getByRole('link', { name: '1,000,000', exact: true }).boundingBox())!;
  const chip = (await message(total).locator('header').boundingBox())!;
  expect(number.x).toBeGreaterThanOrEqual(0);
  // The line of the summary takes 38 pixels between both.
  expect(chip.x - (number.x + number.width)).toBeGreaterThan(38);
});

test('scrolling leads through all of a million messages, and End and Home to the newest and the first', async () => {
  await rig.visit(page, '/threads/million?seq=74000');
  await seen(74_000);
  await list().hover();
  const visited = [await topmost()];
  // 2 million pixels are some 20,000 messages: three times farther than what is laid out at once reaches from here.
  for (const pixels of [500_000, 500_000, 500_000, 500_000, -500_000, -500_000, -500_000, -500_000, -500_000])
    visited.push(await wheel(pixels));
  const steps = visited.slice(1).map((seq, i) => Math.abs(seq - visited[i]!));
  expect(Math.min(...steps), visited.join()).toBeGreaterThan(4_500);
  expect(Math.max(...steps), visited.join()).toBeLessThan(6_500);
  await list().focus();
  await page.keyboard.press('End');
  await seen(total);
  await page.keyboard.press('Home');
  await seen(1);
  await page.keyboard.press('End');
  await seen(total);
  await api.append('million', { role: 'user', content: `Message ${total + 1}.` });
  await seen(total + 1);
  expect(complaints).toEqual([]);
});
