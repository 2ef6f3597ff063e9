import '@spillway/node-version/require';
import { runToEnd } from './run-to-end.js';
import { readSettings } from './settings.js';
import { startSpillway } from './spillway.js';
import { welcome } from './welcome.js';
import { withoutArguments } from './without-arguments.js';

const say = (line: string): void => console.log(line);

withoutArguments('npm start', 'Starts Postgres, Redis, the API, a worker and the console.');
await runToEnd(async ({ signal, interrupted }, teardown) => {
  const running = await startSpillway({ ...readSettings(process.env), say, signal }, teardown);
  say(welcome(running));
  await interrupted;
  say('Stopping.');
  return 0;
});
