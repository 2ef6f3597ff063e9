import { join } from 'node:path';
import { createClient } from '@spillway/client';
import type { launchBrowser } from '@spillway/testing';
import { answered } from '../demo/api.js';

export interface Session {
  apiUrl: string;
  apiKey: string;
  consoleUrl: string;
  folder: string;
  scheme: 'light' | 'dark';
  width: number;
  say: (line: string) => void;
}

type Browser = Awaited<ReturnType<typeof launchBrowser>>;

/** Signs in and takes one picture of each page. Wide and light is the picture without a suffix. */
export async function photograph(browser: Browser, session: Session): Promise<void> {
  const { consoleUrl, apiKey, folder, scheme, width, say } = session;
  const context = await browser.newContext({
    viewport: { width, height: width > 1000 ? 900 : 844 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  const suffix = `${scheme === 'dark' ? '-dark' : ''}${width > 1000 ? '' : '-narrow'}`;
  const shoot = async (name: string): Promise<void> => {
    await page.waitForTimeout(1_200);
    await page.screenshot({ path: join(folder, `${name}${suffix}.png`) });
    say(`${name}${suffix}.png`);
  };
  await page.goto(`${consoleUrl}/login`);
  await shoot('login');
  await page.locator('input:visible').first().fill(apiKey);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/');
  await shoot('overview');
  for (const [name, path] of await pages(session)) {
    await page.goto(consoleUrl + path);
    await shoot(name);
  }
  await context.close();
}

/** Every page but the first two, on the thread with the most summaries and on the largest output. */
async function pages({ apiUrl, apiKey }: Session): Promise<[string, string][]> {
  const client = createClient({ baseUrl: apiUrl, key: apiKey });
  const threads = answered(
    await client.GET('/v1/threads', { params: { query: {} } }),
    'list the threads',
  ).data;
  const longest = threads.toSorted((a, b) => b.compaction.generation - a.compaction.generation)[0];
  const rich = threads.toSorted((a, b) => b.output_count - a.output_count)[0];
  if (!longest || !rich) throw new Error('There is no thread to show.');
  const listed = await client.GET('/v1/threads/{id}/outputs', {
    params: { path: { id: rich.id }, query: {} },
  });
  const outputs = answered(listed, 'list the outputs').data;
  const largest = outputs.toSorted((a, b) => b.bytes - a.bytes)[0];
  const thread = `/threads/${longest.id}`;
  return [
    ['threads', '/threads'],
    ['thread', `${thread}?seq=${Math.max(1, longest.compaction.covered_through - 2)}`],
    ['summaries', `${thread}?tab=summaries`],
    ['context', `${thread}?tab=context`],
    ['compactions', `${thread}?tab=compactions`],
    ['outputs', `/threads/${rich.id}?tab=outputs`],
    ...(largest ? ([['output', `/outputs/${largest.id}`]] as [string, string][]) : []),
    ['jobs', '/jobs'],
  ];
}
