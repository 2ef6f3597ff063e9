import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadCounter } from '@spillway/engine';
import { repository } from '../repository.js';
import { record } from './recorder.js';
import { scenarios } from './scenarios/index.js';

/** Records the scenarios named on the command line, or all, into samples/. */
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown) {
  console.error(
    `There is no scenario ${unknown}: choose from ${scenarios.map((each) => each.name).join(', ')}.`,
  );
  process.exit(1);
}
const count = await loadCounter('o200k');
await mkdir(join(repository, 'samples'), { recursive: true });
for (const scenario of scenarios.filter((each) => wanted.length === 0 || wanted.includes(each.name))) {
  const messages = await record(scenario, (line) => console.error(line));
  const text = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  await writeFile(join(repository, 'samples', `${scenario.name}.jsonl`), text);
  const tokens = messages.reduce((sum, message) => sum + count(JSON.stringify(message)), 0);
  console.log(`${scenario.name}: ${messages.length} messages, ${text.length} bytes, about ${tokens} tokens`);
}
