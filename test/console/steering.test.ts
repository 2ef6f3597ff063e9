// @module-tag long
import { until, type Api } from '@spillway/testing';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { proposedSummary, turns } from '../folding-thread.js';
import { expectWellMade, signedInPage, type ConsoleRig } from './console-rig.js';

let rig: ConsoleRig;
let api: Api;
let page: Page;
let complaints: string[];

signedInPage((given) => ({ rig, api, page, complaints } = given));

// Trigger 2,400, limit 4,000: a proposal waits up to 3,200 tokens.
const policy = {
  context: { context_window: 8_000, trigger_ratio: 0.3 },
  summary: { max_tokens: 300, apply: 'on_approval' },
};

/** A thread of which a summary waits for an approval. */
async function proposed(id: string): Promise<void> {
  await api.createThread({ id, policy });
  await proposedSummary(api, id);
}
const picture = async (name: string): Promise<void> => {
  const folder = process.env.SPILLWAY_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};
const confirm = async (what: string): Promise<void> => {
  await page.getByRole('button', { name: what, exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `${what} generation` })
    .click();
};

describe('a proposed summary', () => {
  test('is announced on the thread, and is in place once it is approved; then it can be undone', async () => {
    await proposed('asked');
    await rig.visit(page, '/threads/asked');
    await expectWellMade(page, /a summary waits for an approval/, complaints);
    await picture('proposed');
    await page.getByRole('link', { name: 'Look and decide' }).click();
    await expectWellMade(page, /task overview/i, complaints);
    await picture('decide');
    await confirm('Approve');
    await page.getByText('A worker puts generation 1 in place.').waitFor();
    await until('it is in place', async () => (await api.thread('asked')).compaction.generation === 1);
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await picture('approved');
    await confirm('Undo');
    await page.getByText('The model gets the original messages again.').waitFor();
    await expectWellMade(page, /undone/i, complaints);
    await picture('undone');
    expect((await api.context('asked')).summary).toBeNull();
  });

  test('is found from the overview, and in no list as work that a worker left', async () => {
    await proposed('found');
    await rig.visit(page, '/');
    const concern = page.getByRole('listitem').filter({ hasText: /^\d+ summar(y|ies) wait/ });
    await concern.getByRole('link', { name: 'Review' }).click();
    await page.waitForURL('**/jobs?tab=proposed');
    await expectWellMade(page, /To approve/, complaints);
    await picture('to-approve');
    await rig.visit(page, '/threads?q=found');
    await page
      .getByRole('row')
      .filter({ hasText: 'found' })
      .getByText('to approve', { exact: true })
      .waitFor();
    await page.goBack();
    await page
      .getByRole('row')
      .filter({ hasText: 'found' })
      .getByRole('link', { name: 'Review generation 1 of found' })
      .click();
    await page.getByRole('heading', { name: /^Generation 1/ }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  });

  test('takes no effect when it is rejected', async () => {
    await proposed('refused');
    // Facts that are still awaited when it is rejected are asked for no more.
    const rejected = page.waitForResponse('**/summaries/1/reject');
    await page.route('**/summaries/1/facts?*', async (route) => {
      await rejected;
      await route.continue();
    });
    await rig.visit(page, '/threads/refused?tab=summaries&gen=1');
    await confirm('Reject');
    await page.getByText('Generation 1 takes no effect.').waitFor();
    expect((await api.thread('refused')).compaction.prepared).toBeUndefined();
    expect((await api.context('refused')).summary).toBeNull();
    await expectWellMade(page, /no summary|summaries/i, complaints);
    await picture('rejected');
  });
});

test('kept and released messages are marked in the timeline', async () => {
  await api.createThread({ id: 'held', policy: { context: { context_window: 1_000_000 } } });
  await api.append('held', ...turns(3));
  const hold = (how: string, seq: number) =>
    api.call('POST', `/v1/threads/held/messages/${how}`, { from_seq: seq, to_seq: seq });
  expect((await hold('keep', 1)).status).toBe(200);
  expect((await hold('release', 2)).status).toBe(200);
  await rig.visit(page, '/threads/held');
  await page.getByTitle('Kept beside the next summaries').waitFor();
  await page.getByTitle(/^Released: /).waitFor();
  await expectWellMade(page, /Turn 2\./, complaints);
  await picture('held');
});
