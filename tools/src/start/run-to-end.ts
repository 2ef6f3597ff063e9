import { Teardown } from '@spillway/embedded';
import { failureLine } from './failure.js';
import { type Interruption, watchForInterruption } from './interruption.js';

/**
 * Runs a command that starts things, and ends them all however it goes: done, failed with one line on stderr
 * (status 1), or interrupted on the way (status 130). `command` gives the status.
 */
export async function runToEnd(
  command: (interruption: Interruption, teardown: Teardown) => Promise<number>,
): Promise<never> {
  const interruption = watchForInterruption();
  const teardown = new Teardown((line) => console.error(line));
  let status = 130;
  try {
    status = await command(interruption, teardown);
  } catch (error) {
    const { signal } = interruption;
    const failure: unknown = signal.aborted ? signal.reason : error;
    const interrupted = failure instanceof Error && failure.name === 'AbortError';
    if (!interrupted) {
      status = 1;
      console.error(failureLine(failure));
    }
  }
  await teardown.run();
  process.exit(status);
}
