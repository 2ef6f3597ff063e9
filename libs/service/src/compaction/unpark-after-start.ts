import { asService, unparkAll } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** Reasons that a change of this process's environment may resolve: another key, address or default model. */
const reasons = ['auth', 'rejected'];

/**
 * Makes threads due again that were parked because of the provider's configuration. Without a database the next start
 * does it; nothing waits for this.
 */
export async function unparkAfterStart(rt: Runtime): Promise<void> {
  try {
    for (const reason of reasons) {
      const count = await asService(() => unparkAll(rt.store.query, reason));
      if (count > 0)
        rt.log.info({ count, reason }, 'threads parked for their provider settings are due again');
    }
  } catch (error) {
    rt.log.warn({ err: error }, 'threads parked for their provider settings could not be retried');
  }
}
