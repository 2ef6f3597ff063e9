import { Teardown } from '@spillway/embedded';
import { failureLine } from './failure.js';
import { watchForInterruption } from './interruption.js';
import { readSettings } from './settings.js';
import { startSpillway } from './spillway.js';
import { welcome } from './welcome.js';

const say = (line: string): void => console.log(line);
const { signal, happened } = watchForInterruption();
const teardown = new Teardown(say);
let exitCode = 0;
try {
  const running = await startSpillway({ ...readSettings(process.env), say, signal }, teardown);
  say(welcome(running));
  await happened;
  if (signal.reason instanceof Error && signal.reason.name !== 'AbortError') throw signal.reason;
  say('Stopping.');
} catch (error) {
  const interrupted = error instanceof Error && error.name === 'AbortError';
  exitCode = interrupted ? 130 : 1;
  if (!interrupted) console.error(failureLine(error));
}
await teardown.run();
process.exit(exitCode);
