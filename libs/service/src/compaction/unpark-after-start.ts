import { asService, unparkAll } from '@spillway/store';
import { whenAvailable } from '../operations/when-available.js';
import type { Runtime } from '../runtime.js';

/** Reasons that a change of this process's environment may resolve: another key, address or default model. */
const reasons = ['auth', 'rejected'];

/** Makes threads due again that were parked because of the provider's configuration, now or when Postgres is there. */
export const unparkAfterStart = (rt: Runtime): Promise<void> =>
  whenAvailable(rt, 'threads that were parked for their provider settings', async () => {
    for (const reason of reasons) {
      const count = await asService(() => unparkAll(rt.store.query, reason));
      if (count > 0)
        rt.log.info({ count, reason }, 'threads parked for their provider settings are due again');
    }
  }).catch((error: unknown) =>
    rt.log.error({ err: error }, 'threads parked for their provider settings could not be retried'),
  );
