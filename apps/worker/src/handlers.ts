import type { Handlers } from '@spillway/jobs';
import { sweepOutputs, sweepStorage, type FairCompactor, type Runtime } from '@spillway/service';
import type { Watchdog } from './watchdog.js';

/** Maps each job name to its use case. A job without an entry does not compile. */
export const handlersOf = (rt: Runtime, compactor: FairCompactor, watchdog: Watchdog): Handlers => ({
  // A job names the thread that fell due. The rows decide which thread is next.
  'compact-thread': (thread, progress) => {
    watchdog.taken();
    return compactor.next(thread, progress);
  },
  'sweep-outputs': () => sweepOutputs(rt),
  'sweep-storage': () => sweepStorage(rt),
});
