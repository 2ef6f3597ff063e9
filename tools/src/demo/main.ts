import '@spillway/node-version/require';
import { runToEnd } from '../start/run-to-end.js';
import { startSpillway } from '../start/spillway.js';
import { runDemo } from './demo.js';
import { demoOptions } from './options.js';
import { readThreadFile } from './thread-file.js';

const say = (line: string): void => console.log(line);
const options = demoOptions(process.argv);

await runToEnd(async ({ signal, interrupted }, teardown) => {
  const files = await Promise.all((await options.threads()).map(readThreadFile));
  // Its own servers, folder and ports, whatever the environment says: the demo never touches existing data.
  const own = { dataDir: null, databaseUrl: null, redisUrl: null, outputsUrl: null, apiKey: null };
  const ports = { api: 0, console: 0, worker: 0 };
  const { apiUrl, apiKey, consoleUrl } = await startSpillway({ ...own, ports, say, signal }, teardown);
  const held = await runDemo({ apiUrl, apiKey, files, window: options.window, say, signal });
  if (!options.exit) {
    say(`\nLook at it in the console: ${consoleUrl}   API key: ${apiKey}\nCtrl-C ends it; nothing is kept.`);
    await interrupted;
  }
  return held ? 0 : 1;
});
