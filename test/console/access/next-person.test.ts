// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signedInPage, untilListening, type ConsoleRig } from '../console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

signedInPage((given) => ({ rig, api, page, complaints } = given));

const palette = () => page.getByRole('textbox', { name: /go to a page/i });
const link = (name: string) => page.getByRole('link', { name, exact: true });

/** Writes a draft of the policy and opens a thread, as the first person. */
async function leaveTraces(): Promise<void> {
  await rig.visit(page, '/settings/policy');
  await page.locator('[data-path="context.max_images"] input:not([type=hidden])').last().fill('9');
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('context.max_images').waitFor();
  await link('Threads').click();
  await link('of-the-first').first().click();
  await page.waitForURL('**/threads/of-the-first');
  await page.getByText('only for the first').first().waitFor();
}

/** Enters a key on the page that is shown, without loading another one. */
async function enter(key: string): Promise<void> {
  await page.getByRole('textbox').fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(({ pathname }) => pathname !== '/login');
}

const recentThread = async (): Promise<number> => {
  await untilListening(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('button', { name: 'Jobs' }).waitFor();
  return page.getByRole('button', { name: /of-the-first/ }).count();
};

test('A119 who signs in after a session ended on a link meets nothing that the person before left in the page', async () => {
  await api.append('of-the-first', { role: 'user', content: 'only for the first' });
  const second = { url: rig.stack.url, key: await rig.stack.addProject(`second-${Date.now()}`) };
  await apiOf(second).append('of-the-second', { role: 'user', content: 'hello' });
  await leaveTraces();
  await page.context().clearCookies();
  await link('Jobs').click();
  await page.waitForURL('**/login**');
  await page.getByRole('heading', { name: 'Sign in to Spillway' }).waitFor();
  await enter(second.key);
  await page.waitForURL('**/jobs');
  expect(await recentThread()).toBe(0);
  await palette().fill('of-the');
  await page.getByRole('button', { name: /of-the-second/ }).waitFor();
  expect(await page.getByRole('button', { name: /of-the-first/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await link('Settings').click();
  await page.waitForURL('**/settings/policy');
  const images = page.locator('[data-path="context.max_images"] input:not([type=hidden])').last();
  await images.waitFor();
  expect(await images.inputValue()).toBe('5');
  expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
  await page.goBack();
  await page.goBack();
  await page.waitForTimeout(500);
  expect(await page.getByText('only for the first').count()).toBe(0);
  const { body } = await apiOf(second).call<Schemas['ProjectPolicy']>('GET', '/v1/policy');
  expect(body.policy).toEqual({});
  expect(complaints).toEqual([]);
});

test('A119 after signing out the palette names no thread that was open before', async () => {
  await rig.close(page);
  ({ page, complaints } = await rig.open());
  await rig.enterKey(page);
  await api.append('of-the-first', { role: 'user', content: 'only for the first' });
  await rig.visit(page, '/threads/of-the-first');
  await rig.visit(page, '/settings/keys');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await enter(await rig.stack.addProject(`third-${Date.now()}`));
  expect(await recentThread()).toBe(0);
});

test('A119 a draft in another tab cannot be saved with the session of who signs in next', async () => {
  await rig.visit(page, '/settings/policy');
  const images = page.locator('[data-path="context.max_images"] input:not([type=hidden])').last();
  await images.fill('9');
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('context.max_images').waitFor();
  const other = await page.context().newPage();
  await page.context().clearCookies();
  await rig.enterKey(other, await rig.stack.addProject(`fourth-${Date.now()}`));
  await until('the tab is loaded anew', async () => (await images.inputValue().catch(() => '')) === '5');
  expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
  await rig.close(other);
});

test('a signed-in person who follows a link from another site keeps the threads that were open before', async () => {
  await api.append('of-the-first', { role: 'user', content: 'only for the first' });
  await rig.visit(page, '/threads/of-the-first');
  // As with the link: the page is asked for without the session, and the browser has one.
  await page.goto(`${rig.site.url}/login?next=%2Fjobs`);
  await page.waitForURL('**/jobs');
  expect(await recentThread()).toBe(1);
});
