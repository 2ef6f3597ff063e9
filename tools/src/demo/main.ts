import { freePort, Teardown } from '@spillway/embedded';
import { failureLine } from '../start/failure.js';
import { watchForInterruption } from '../start/interruption.js';
import type { Ports } from '../start/settings.js';
import { startSpillway } from '../start/spillway.js';
import { runDemo } from './demo.js';
import { demoOptions } from './options.js';
import { readThreadFile } from './thread-file.js';

const say = (line: string): void => console.log(line);
const { signal, happened } = watchForInterruption();
const teardown = new Teardown(say);
let exitCode = 0;
try {
  const options = await demoOptions(process.argv);
  const files = await Promise.all(options.threads.map(readThreadFile));
  // Its own servers, folder and ports, whatever the environment says: a demo never touches anyone's data.
  const own = {
    dataDir: null,
    databaseUrl: null,
    redisUrl: null,
    outputsUrl: null,
    apiKey: null,
    ports: await freePorts(),
  };
  const running = await startSpillway({ ...own, say, signal }, teardown);
  const { apiUrl, apiKey } = running;
  const held = await runDemo({ apiUrl, apiKey, files, window: options.window, say, signal });
  exitCode = held ? 0 : 1;
  if (!options.exit) {
    say(
      `\nLook at it in the console: ${running.consoleUrl}   API key: ${apiKey}\nCtrl-C ends it; nothing is kept.`,
    );
    await happened;
    if (signal.reason instanceof Error && signal.reason.name !== 'AbortError') throw signal.reason;
  }
} catch (error) {
  const interrupted = error instanceof Error && error.name === 'AbortError';
  exitCode = interrupted ? 130 : 1;
  if (!interrupted) console.error(failureLine(error));
}
await teardown.run();
process.exit(exitCode);

async function freePorts(): Promise<Ports> {
  const found = new Set<number>();
  while (found.size < 3) found.add(await freePort());
  const [api, console, worker] = [...found] as [number, number, number];
  return { api, console, worker };
}
