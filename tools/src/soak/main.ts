import '@spillway/node-version/require';
import { runToEnd } from '../start/run-to-end.js';
import { soakOptions } from './options.js';
import { held, reportLines } from './report.js';
import { soak } from './soak.js';

const say = (line: string): void => console.log(line);
const options = soakOptions(process.argv);

await runToEnd(async ({ signal }, teardown) => {
  say(`Seed ${options.seed}: ${options.minutes} min at ${options.rate} messages/s.`);
  const soaked = await soak(options, { signal, say }, teardown);
  for (const line of reportLines(options, soaked)) say(line);
  return held(soaked) ? 0 : 1;
});
