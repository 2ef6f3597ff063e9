import '@spillway/node-version/require';
import { runToEnd } from '../start/run-to-end.js';
import { startSpillway } from '../start/spillway.js';
import { ofItsOwn } from '../start/start-options.js';
import { runDemo } from './demo.js';
import { demoOptions } from './options.js';
import { readThreadFile } from './thread-file.js';

const say = (line: string): void => console.log(line);
const options = demoOptions(process.argv);

await runToEnd(async ({ signal, interrupted }, teardown) => {
  const files = await Promise.all((await options.threads()).map(readThreadFile));
  const { apiUrl, apiKey, consoleUrl } = await startSpillway({ ...ofItsOwn, say, signal }, teardown);
  const held = await runDemo({ apiUrl, apiKey, files, window: options.window, say, signal });
  if (!options.exit) {
    say(`\nLook at it in the console: ${consoleUrl}   API key: ${apiKey}\nCtrl-C ends it; nothing is kept.`);
    await interrupted;
  }
  return held ? 0 : 1;
});
