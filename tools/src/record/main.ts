import '@spillway/node-version/require';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@spillway/embedded';
import { loadCounter } from '@spillway/engine';
import { repository } from '../repository.js';
import { runToEnd } from '../start/run-to-end.js';
import { record } from './recorder.js';
import { openSandbox } from './sandbox.js';
import { scenarios } from './scenarios/index.js';

/** Records the scenarios named on the command line, or all, into samples/. */
await runToEnd(async ({ signal }, teardown) => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown) {
    const names = scenarios.map((each) => each.name).join(', ');
    throw new StartError(`There is no scenario ${unknown}: choose from ${names}.`);
  }
  const count = await loadCounter('o200k');
  const tell = (line: string): void => console.error(line);
  for (const scenario of scenarios.filter((each) => wanted.length === 0 || wanted.includes(each.name))) {
    const sandbox = await openSandbox(scenario);
    teardown.add('the sandbox', () => sandbox.remove());
    const messages = await record(scenario, { sandbox, tell, signal });
    await sandbox.remove();
    const text = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const folder = join(repository, 'samples', scenario.format ?? '');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${scenario.name}.jsonl`), text);
    const tokens = messages.reduce((sum, message) => sum + count(JSON.stringify(message)), 0);
    console.log(
      `${scenario.name}: ${messages.length} messages, ${text.length} bytes, about ${tokens} tokens`,
    );
  }
  return 0;
});
