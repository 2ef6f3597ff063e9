import '@spillway/node-version/require';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '@spillway/testing';
import { Command } from 'commander';
import { runDemo } from '../demo/demo.js';
import { samples } from '../demo/options.js';
import { readThreadFile } from '../demo/thread-file.js';
import { repository } from '../repository.js';
import { runToEnd } from '../start/run-to-end.js';
import { startSpillway } from '../start/spillway.js';
import { ofItsOwn } from '../start/start-options.js';
import { picturesOf, whatToShow, type Picture } from './pages.js';
import { photograph } from './photograph.js';

/** `npm run screenshots`: every page of the console on real threads, light and dark, wide and narrow, into docs/console/. */
const { only } = new Command('npm run screenshots')
  .description('Pictures every page of the console on the threads of samples/, into docs/console.')
  .option('--only <names>', 'names of pictures, such as system,models')
  .allowExcessArguments(false)
  .parse()
  .opts<{ only?: string }>();
const wanted = only?.split(',');
const isWanted = ({ name }: Picture): boolean => wanted === undefined || wanted.includes(name);
const say = (line: string): void => console.log(line);
const folder = join(repository, 'docs/console');

await runToEnd(async ({ signal }, teardown) => {
  const { apiUrl, apiKey, consoleUrl } = await startSpillway({ ...ofItsOwn, say, signal }, teardown);
  await mkdir(folder, { recursive: true });
  const browser = await launchBrowser();
  teardown.add('the browser', () => browser.close());
  const shootAll = async (all: readonly Picture[]) => {
    const pictures = all.filter(isWanted);
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [1440, 390]) {
        await photograph(browser, { apiKey, consoleUrl, folder, scheme, width, say }, pictures);
      }
    }
  };

  const first: readonly Picture[] = [
    { name: 'login', path: '/login', signedOut: true },
    { name: 'first-run', path: '/' },
  ];
  await shootAll(first);
  const files = await Promise.all((await samples()).map(readThreadFile));
  await runDemo({ apiUrl, apiKey, files, window: 16_000, say: () => undefined, signal });
  const pictures = picturesOf(await whatToShow({ apiUrl, apiKey }));
  await shootAll(pictures);
  const known = [...first, ...pictures].map(({ name }) => name);
  const unknown = (wanted ?? []).filter((name) => !known.includes(name));
  if (unknown.length === 0) return 0;
  say(`There is no picture ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  return 1;
});
