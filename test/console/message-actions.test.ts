// @module-tag long
import type { Schemas } from '@spillway/client';
import type { Api } from '@spillway/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { cutOff, expectWellMade, signedInPage, startConsoleRig, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

signedInPage((given) => ({ rig, api, page, complaints } = given), {
  makeRig: () => startConsoleRig({ workers: 0, redis: false }),
});

const say = (content: string) => ({ role: 'user', content });
const row = (seq: number): Locator => page.getByRole('article', { name: `Message ${seq}`, exact: true });
const picture = async (name: string, of = page): Promise<void> => {
  const folder = process.env.SPILLWAY_PICTURES;
  if (folder) await of.screenshot({ path: `${folder}/${name}.png` });
};

test('a thread is forked from a message, and the fork says where it comes from', async () => {
  await api.append('origin', say('one'), say('two'), say('three'), say('four'), say('five'));
  await api.call('POST', '/v1/threads/origin/rewind', { to_seq: 3 });
  await api.append('origin', say('another way'), say('and on'));
  await rig.visit(page, '/threads/origin');
  await expectWellMade(page, /another way/, complaints);
  // A rewound message is in no context, so nothing starts from it.
  await row(4).getByText('rewound').waitFor();
  expect(await row(4).getByRole('button', { name: /Fork/ }).count()).toBe(0);
  await row(6).hover();
  await picture('fork-action');
  await row(6).getByRole('button', { name: 'Fork from here: message 6' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id of the new thread').fill('other-way');
  await expectWellMade(page, /This thread stays as it is/, complaints);
  await picture('fork-dialog');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.waitForURL(/\/threads\/other-way$/);
  expect((await api.thread('other-way')).forked_from).toEqual({ thread: 'origin', at: 6 });
  await page.getByText('Rewound before the fork').first().waitFor();
  await expectWellMade(page, /Forked from\s*origin\s*at 6/, complaints);
  await picture('forked');
  await page.getByRole('link', { name: 'origin' }).click();
  await page.waitForURL(/\/threads\/origin\?seq=6/);
});

test('an id that is taken is said, and the dialog stays', async () => {
  await api.append('taken', say('one'));
  await rig.visit(page, '/threads/taken');
  await page.getByRole('button', { name: 'Fork from here: message 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Id of the new thread').fill('taken');
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await dialog.getByRole('alert').getByText('A thread with this id exists and is no fork.').waitFor();
  await dialog.getByLabel('Id of the new thread').fill('no id!');
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
  await dialog.getByRole('alert').getByText('must be 1-200 characters of A-Z a-z 0-9 . _ : - @').waitFor();
  expect(await dialog.isVisible()).toBe(true);
});

test('a fork and an erasure that take long leave a person who went on where they are', async () => {
  await api.append('slow', say('one'));
  const asked = { fork: Promise.withResolvers<void>(), erase: Promise.withResolvers<void>() };
  const answered = { fork: Promise.withResolvers<void>(), erase: Promise.withResolvers<void>() };
  const hold = async (what: 'fork' | 'erase', route: Route) => {
    asked[what].resolve();
    await answered[what].promise;
    await route.continue();
  };
  await page.route('**/threads/slow/fork', (route) => hold('fork', route));
  await page.route('**/api/v1/threads/slow', (route) =>
    route.request().method() === 'DELETE' ? hold('erase', route) : route.continue(),
  );
  const goOn = async (link: string, path: string) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
    await page.waitForURL(`**${path}`);
  };
  await rig.visit(page, '/threads/slow');
  await page.getByRole('button', { name: 'Fork from here: message 1' }).click();
  await page.getByRole('dialog').getByLabel('Id of the new thread').fill('slow-fork');
  await page.getByRole('dialog').getByRole('button', { name: 'Fork', exact: true }).click();
  await asked.fork.promise;
  await goOn('Outputs', '/outputs');
  answered.fork.resolve();
  const note = page.getByRole('alert').filter({ hasText: 'slow was forked' });
  await note.waitFor();
  await page.waitForTimeout(500);
  expect(new URL(page.url()).pathname).toBe('/outputs');
  await note.getByRole('link', { name: 'slow-fork' }).click();
  await page.waitForURL('**/threads/slow-fork');

  await rig.visit(page, '/threads/slow');
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('slow');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase thread' }).click();
  await asked.erase.promise;
  await goOn('Outputs', '/outputs');
  answered.erase.resolve();
  await page.getByText('slow and its messages, summaries and outputs are gone.').waitFor();
  await page.waitForTimeout(500);
  expect(new URL(page.url()).pathname).toBe('/outputs');
});

const opened = async (seq: number): Promise<Locator> => {
  await row(seq)
    .getByRole('button', { name: `Change message ${seq}` })
    .click();
  return row(seq).getByRole('group', { name: `Change message ${seq}` });
};
const press = (name: string, within: Locator = page.getByRole('dialog')): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();
/** The label of the focused element, or its text. */
const focused = (of = page): Promise<string> =>
  of.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');
const messages = async (id: string) =>
  (await api.call<Schemas['MessageList']>('GET', `/v1/threads/${id}/messages`)).body.data;

test('a message is pinned and unpinned, and a range from it on is kept and released', async () => {
  await api.append('changed', say('one'), say('two'), say('three'), say('four'));
  await rig.visit(page, '/threads/changed');
  const bar = await opened(2);
  await picture('change-bar');
  await press('Pin', bar);
  await expectWellMade(page, /Every context contains a pinned message/, complaints);
  await picture('pin-dialog');
  await press('Pin message 2');
  await row(2).getByText('pinned').waitFor();
  expect((await messages('changed')).map(({ pinned }) => pinned)).toEqual([false, true, false, false]);
  await press('Unpin', bar);
  await press('Unpin message 2');
  await row(2).getByText('pinned').waitFor({ state: 'detached' });

  await press('Keep', bar);
  const last = page.getByRole('dialog').getByLabel('Last message');
  await last.fill('9');
  await page.getByRole('dialog').getByRole('alert').getByText('must be from 2 to 4').waitFor();
  await page.keyboard.press('Enter');
  await last.fill('3');
  await expectWellMade(page, /beside the next summaries/, complaints);
  await picture('keep-dialog');
  await page.keyboard.press('Enter');
  await page.getByText(/^2 messages with calls and results\. All kept messages take \d+ of/).waitFor();
  for (const seq of [2, 3]) await row(seq).getByText('kept', { exact: true }).waitFor();
  await press('Release', bar);
  await press('Release');
  await row(2).getByText('released', { exact: true }).waitFor();
  expect((await messages('changed')).map(({ hold }) => hold)).toEqual([null, 'release', 'keep', null]);
  await expectWellMade(page, /three/, complaints);
});

test('a thread is rewound to a message, which has nothing to rewind then; a rewound message can only be erased', async () => {
  await api.append('back', say('one'), say('two'), say('three'));
  await rig.visit(page, '/threads/back');
  await press('Rewind to here', await opened(2));
  await expectWellMade(page, /leave the context for good/, complaints);
  await picture('rewind-dialog');
  await press('Rewind to message 2');
  await page.getByText('1 message left the context.').waitFor();
  await row(3).getByText('rewound').waitFor();
  expect((await api.thread('back')).last_seq).toBe(2);
  const names = (bar: Locator) => bar.getByRole('button').allTextContents();
  const bar = row(2).getByRole('group', { name: 'Change message 2' });
  expect(await names(bar)).toEqual(['Pin', 'Keep', 'Release', 'Erase']);
  expect(await names(await opened(3))).toEqual(['Erase']);
  await expectWellMade(page, /three/, complaints);
});

test('a message that arrives while a rewind is asked about is not taken out of the context unseen', async () => {
  await api.append('meanwhile', say('one'), say('two'));
  // Without events the page knows nothing of the third message.
  await page.route(/\/api\/v1\/events/, (route) => route.abort());
  await rig.visit(page, '/threads/meanwhile');
  await press('Rewind to here', await opened(1));
  await api.append('meanwhile', say('three'));
  await press('Rewind to message 1');
  await page.getByRole('alert').filter({ hasText: 'newest message' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row(3).waitFor();
  expect((await api.thread('meanwhile')).last_seq).toBe(3);
});

test('an erased message says so, and the focus stays in the thread', async () => {
  await api.append('secret', say('the password is swordfish'), say('two'));
  await rig.visit(page, '/threads/secret');
  await (await opened(1)).getByRole('button', { name: 'Erase' }).focus();
  await page.keyboard.press('Enter');
  await expectWellMade(page, /cannot be restored/, complaints);
  expect(await focused()).toBe('Cancel');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await row(1).getByText(/Erased \d{4}/).waitFor(); // prettier-ignore
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByText('swordfish').count()).toBe(0);
  await expect.poll(() => focused()).toMatch(/^Messages\. Keys:/);
  expect((await messages('secret'))[0]!.erased_at).not.toBeNull();
});

test('a change that is refused says why in its dialog', async () => {
  await api.createThread({ id: 'small', policy: { context: { context_window: 8_000 } } });
  await api.append('small', say('word '.repeat(3_000)), say('two'));
  await rig.visit(page, '/threads/small');
  await press('Keep', await opened(1));
  await press('Keep');
  await page.getByRole('dialog').getByRole('alert').getByText(/a quarter of its limit/).waitFor(); // prettier-ignore
  await press('Cancel');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await messages('small'))[0]!.hold).toBeNull();
});

test('a key that may only read sees what it lacks', async () => {
  await api.append('read-only', say('one'), say('two'));
  const made = await api.call<{ key: string }>('POST', '/v1/keys', {
    name: 'reader',
    scopes: ['context:read'],
  });
  const reader = await rig.open();
  await rig.enterKey(reader.page, made.body.key);
  await rig.visit(reader.page, '/threads/read-only');
  await reader.page.getByRole('button', { name: 'Change message 1' }).click();
  const bar = reader.page.getByRole('group', { name: 'Change message 1' });
  await bar.getByText('Your key lacks messages:write and threads:manage.').waitFor();
  for (const button of await bar.getByRole('button').all()) expect(await button.isDisabled()).toBe(true);
  await expectWellMade(reader.page, /Your key lacks/, reader.complaints);
  await picture('change-reader', reader.page);
  await rig.close(reader.page);
});

test('on a phone every change is on screen, and is reached by keyboard alone', async () => {
  await api.append('phone', say('one'), say('two'));
  const narrow = await rig.open({ width: 390, height: 844 });
  await rig.signIn(narrow.page);
  await rig.visit(narrow.page, '/threads/phone');
  await narrow.page.getByRole('button', { name: 'Change message 1' }).focus();
  await narrow.page.keyboard.press('Enter');
  const bar = narrow.page.getByRole('group', { name: 'Change message 1' });
  await bar.waitFor();
  for (const button of await bar.getByRole('button').all()) {
    await narrow.page.keyboard.press('Tab');
    expect(await focused(narrow.page)).toBe(await button.innerText());
    const { x, width } = (await button.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
  }
  await expectWellMade(narrow.page, /two/, narrow.complaints);
  await picture('change-phone', narrow.page);
  expect(await cutOff(narrow.page)).toEqual([]);
  await rig.close(narrow.page);
});
