import type { Handlers } from '@spillway/jobs';
import {
  sweepOutputs,
  sweepStorage,
  type FairCompactor,
  type Runtime,
  type WebhookSender,
} from '@spillway/service';
import type { Watchdog } from './watchdog.js';

/** Job name -> use case. A job without a line here does not compile. */
export const handlersOf = (
  rt: Runtime,
  compactor: FairCompactor,
  sender: WebhookSender,
  dog: Watchdog,
): Handlers => ({
  // A hint says that something is due; whose turn it is, the rows say.
  'compact-thread': () => {
    dog.taken();
    return compactor.next();
  },
  'sweep-outputs': () => sweepOutputs(rt),
  'deliver-webhooks': () => sender.look(),
  'sweep-storage': () => sweepStorage(rt),
});
