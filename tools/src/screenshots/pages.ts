import type { Schemas } from '@spillway/client';
import { createClient } from '@spillway/client/typed';
import type { launchBrowser } from '@spillway/testing';
import { answered } from '../demo/api.js';

export type Browser = Awaited<ReturnType<typeof launchBrowser>>;
export type Page = Awaited<ReturnType<Browser['newPage']>>;

/** One picture: its name, its address, and what is done there before it is taken. */
export interface Picture {
  name: string;
  path: string;
  act?: (page: Page) => Promise<void>;
  /** Taken before anybody signs in. */
  signedOut?: boolean;
}

/** What the pictures show of the threads that the demo wrote. */
export interface Shown {
  /** The thread with the most summaries, the one with the most outputs, and the one with the most instructions. */
  longest: Schemas['Thread'];
  richest: string;
  instructed: string;
  /** The largest output. */
  output: string;
}

/** Chooses what there is most to see of. */
export async function whatToShow({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): Promise<Shown> {
  const client = createClient({ baseUrl: apiUrl, key: apiKey });
  const listed = await client.GET('/v1/threads', { params: { query: {} } });
  const threads = answered(listed, 'list the threads').data;
  const longest = threads.toSorted((a, b) => b.compaction.generation - a.compaction.generation)[0];
  const richest = threads.toSorted((a, b) => b.output_count - a.output_count)[0];
  if (!longest || !richest) throw new Error('There is no thread to show.');
  const biggest = await client.GET('/v1/outputs', { params: { query: { sort: 'biggest', limit: 1 } } });
  const output = answered(biggest, 'list the outputs').data[0];
  if (!output) throw new Error('There is no output to show.');
  const instructed = await threadWithInstructions(
    client,
    threads.map(({ id }) => id),
  );
  return { longest, richest: richest.id, instructed, output: output.id };
}

/** Every page of the console except the login, and every tab of a thread. */
export function picturesOf({ longest, richest, instructed, output }: Shown): Picture[] {
  const thread = `/threads/${longest.id}`;
  const { generation, covered_through: covered } = longest.compaction;
  const before = Math.max(1, generation - 1);
  const summary = `${thread}?tab=summaries&gen=${generation}`;
  return [
    { name: 'overview', path: '/' },
    { name: 'threads', path: '/threads' },
    { name: 'thread', path: `${thread}?seq=${Math.max(1, covered - 2)}` },
    { name: 'search', path: `${thread}?q=error` },
    { name: 'context', path: `${thread}?tab=context&at=${covered}` },
    {
      name: 'context-compared',
      path: `${thread}?tab=context&at=${longest.last_seq}&with=${Math.max(1, covered - 2)}`,
    },
    { name: 'summaries', path: `${summary}&base=${before}` },
    { name: 'fidelity', path: summary, act: (page) => showPanel(page, 'Fidelity') },
    { name: 'facts', path: summary, act: (page) => showPanel(page, 'Facts check') },
    { name: 'instructions', path: `/threads/${instructed}?tab=instructions` },
    { name: 'compactions', path: `${thread}?tab=compactions` },
    {
      name: 'compact',
      path: thread,
      act: async (page) => {
        await press(page, 'Compact now');
        await press(page, 'Lower the trigger this once');
      },
    },
    { name: 'thread-outputs', path: `/threads/${richest}?tab=outputs` },
    {
      name: 'access',
      path: `${thread}?tab=access`,
      act: async (page) => {
        for (const name of ['New token', 'Issue token', 'I have copied it']) await press(page, name);
      },
    },
    { name: 'search-messages', path: '/search?q=prisma+migrations' },
    { name: 'outputs', path: '/outputs?sort=biggest' },
    { name: 'output', path: `/outputs/${output}` },
    { name: 'jobs', path: '/jobs?tab=done' },
    { name: 'sweeps', path: '/jobs?tab=sweeps' },
    { name: 'policy', path: '/settings/policy' },
    { name: 'dry-run', path: `/settings/policy?view=dry-run&try=${longest.id}` },
    { name: 'keys', path: '/settings/keys' },
    { name: 'webhooks', path: '/settings/webhooks' },
    { name: 'models', path: '/settings/models' },
    { name: 'upstreams', path: '/settings/upstreams' },
    { name: 'audit', path: '/settings/audit' },
    { name: 'system', path: '/settings/system' },
    { name: 'palette', path: '/threads', act: (page) => page.keyboard.press('Control+k') },
    { name: 'shortcuts', path: '/threads', act: (page) => page.keyboard.press('?') },
  ];
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).first().click();

/** Scrolls until the head of a panel stands at the top. */
const showPanel = async (page: Page, heading: string): Promise<void> => {
  await page.evaluate(
    `[...document.querySelectorAll('h3')].find((one) => one.textContent === '${heading}').scrollIntoView()`,
  );
};

/** The thread in which the user gave the most standing instructions. */
async function threadWithInstructions(
  client: ReturnType<typeof createClient>,
  ids: string[],
): Promise<string> {
  let most = { id: ids[0]!, count: -1 };
  for (const id of ids) {
    const listed = await client.GET('/v1/threads/{id}/instructions', {
      params: { path: { id }, query: { limit: 200 } },
    });
    const count = answered(listed, 'list the instructions').data.length;
    if (count > most.count) most = { id, count };
  }
  return most.id;
}
