// @module-tag long
import { apiOf, rowsOf, until, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { cutOff, expectWellMade, signedInPage, startConsoleRig, type ConsoleRig } from '../console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

signedInPage((given) => ({ rig, api, page, complaints } = given), {
  makeRig: () => startConsoleRig({ workers: 0, redis: false }),
});

const say = (content: string) => ({ role: 'user', content });
const showedKey = (ago: string) =>
  rowsOf(rig.stack.databaseUrl, `UPDATE sessions SET proved_at = now() - interval '${ago}'`);
beforeEach(() => showedKey('0 s'));

const dialog = () => page.getByRole('dialog');
const press = (name: string): Promise<void> => dialog().getByRole('button', { name, exact: true }).click();
const issuedToken = async (): Promise<string> =>
  (await dialog().getByTestId('shown-once').textContent()) ?? '';
const statusOf = async (token: string, thread: string) =>
  (await apiOf({ url: rig.stack.url, key: token }).call('GET', `/v1/threads/${thread}`)).status;

test('a token is issued by keyboard, shown once, opens its thread within its scopes, and is revoked', async () => {
  await api.append('lent', say('one'));
  await api.append('other', say('one'));
  await rig.visit(page, '/threads/lent?tab=access');
  await expectWellMade(page, /No live tokens/, complaints);
  await page.getByRole('button', { name: 'New token' }).focus();
  await page.keyboard.press('Enter');
  await dialog().getByLabel('messages:write').focus();
  await page.keyboard.press('Space');
  await dialog().getByLabel('Valid for').selectOption({ label: '15 minutes' });
  await expectWellMade(page, /but not when you sign out/, complaints);
  await dialog().getByRole('button', { name: 'Issue token' }).focus();
  await page.keyboard.press('Enter');
  const token = await issuedToken();
  await expectWellMade(page, /It opens lent with context:read, outputs:read, and no other/, complaints);
  expect(await page.evaluate('document.activeElement.textContent')).toBe(token);
  await dialog().getByRole('button', { name: 'Copy the token' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await issuedToken()).toBe(token);
  await press('I have copied it');
  await dialog().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(token);
  const row = page.getByRole('row', { name: /context:read outputs:read in 1\d min .* yours Revoke/ });
  await row.waitFor();
  expect([await statusOf(token, 'lent'), await statusOf(token, 'other')]).toEqual([200, 404]);
  const lent = apiOf({ url: rig.stack.url, key: token });
  const refused = await lent.call('POST', '/v1/threads/lent/messages', { messages: [say('two')] });
  expect(refused.status).toBe(403);

  await row.getByRole('button', { name: /Revoke the token/ }).click();
  await expectWellMade(page, /A revoked token cannot be restored/, complaints);
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Cancel');
  await press('Revoke the token');
  await page.getByText('No live tokens').waitFor();
  await until('the token is refused', async () => (await statusOf(token, 'lent')) === 401);
  expect(complaints).toEqual([]);
});

test('a session that showed its key some time ago is asked for it again, and another key is refused', async () => {
  await api.append('asked', say('one'));
  await rig.visit(page, '/threads/asked?tab=access');
  await showedKey('6 min');
  await page.getByRole('button', { name: 'New token' }).click();
  await press('Issue token');
  const key = dialog().getByLabel('Your API key');
  await key.fill('sw_another-key-0123456789');
  await press('Issue token');
  await dialog().getByRole('alert').getByText('This is not the key of the session.').waitFor(); // prettier-ignore
  await key.fill(rig.stack.key);
  await press('Issue token');
  expect(await statusOf(await issuedToken(), 'asked')).toBe(200);
});

test('on a phone a key issues tokens with scopes of its own, and sees its own alone', async () => {
  await api.append('small', say('one'));
  await api.call('POST', '/v1/threads/small/tokens', { scopes: ['context:read'] });
  const scopes = ['context:read'];
  const made = await api.call<{ key: string }>('POST', '/v1/keys', { name: 'reader', scopes });
  const reader = await rig.open({ width: 390, height: 844 });
  await rig.enterKey(reader.page, made.body.key);
  await rig.visit(reader.page, '/threads/small?tab=access');
  await expectWellMade(reader.page, /Your key lists the tokens that it issued itself/, reader.complaints);
  await reader.page.getByText('No live tokens').waitFor();
  await reader.page.getByRole('button', { name: 'New token' }).click();
  for (const scope of ['messages:write', 'outputs:read', 'threads:manage'])
    expect(await reader.page.getByLabel(scope).isDisabled()).toBe(true);
  await expectWellMade(reader.page, /Your key does not have it/, reader.complaints);
  await reader.page.getByRole('button', { name: 'Issue token' }).click();
  await reader.page.getByRole('button', { name: 'I have copied it' }).click();
  await reader.page.getByRole('row', { name: /context:read/ }).waitFor();
  await expectWellMade(reader.page, /yours/, reader.complaints);
  expect(await cutOff(reader.page)).toEqual([]);
  await rig.close(reader.page);
});

test('the list names the keys that issued the tokens, and on a phone too', async () => {
  await api.append('shared', say('one'));
  const name = 'the build of the mobile application on the main branch';
  const made = await api.call<{ id: string; key: string }>('POST', '/v1/keys', {
    ...{ name, scopes: ['context:read'] },
  });
  const agents = apiOf({ url: rig.stack.url, key: made.body.key });
  await agents.call('POST', '/v1/threads/shared/tokens', { scopes: ['context:read'] });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await rig.visit(page, '/threads/shared?tab=access');
    const cell = page.getByRole('cell', { name, exact: true });
    await cell.waitFor();
    expect(await cell.locator('[title]').getAttribute('title')).toContain(made.body.id);
    await expectWellMade(page, /the build of the mobile/, complaints);
    expect(await cutOff(page)).toEqual([]);
  }
});
