import '@spillway/node-version/require';
import { runToEnd } from './run-to-end.js';
import { readSettings } from './settings.js';
import { startSpillway } from './spillway.js';
import { welcome } from './welcome.js';

const say = (line: string): void => console.log(line);

await runToEnd(async ({ signal, interrupted }, teardown) => {
  const running = await startSpillway({ ...readSettings(process.env), say, signal }, teardown);
  say(welcome(running));
  await interrupted;
  say('Stopping.');
  return 0;
});
