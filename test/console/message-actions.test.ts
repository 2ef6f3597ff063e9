import type { Api } from '@spillway/testing';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectWellMade, signedInPage, startConsoleRig, type ConsoleRig } from './console-rig.js';

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
