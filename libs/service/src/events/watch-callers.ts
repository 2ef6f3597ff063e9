import { liveCallers, type CallerRow } from '@spillway/store';
import { sessionLimits } from '../access/authenticate.js';
import type { Runtime } from '../runtime.js';

export interface CallerWatch {
  /** Calls `gone` once when the caller may no longer be here. Gives what ends the watch. */
  watch(caller: CallerRow, gone: () => void): () => void;
}

/** Looks after those who stay connected: one statement for all of them, and only while there are any. */
export function callerWatch(rt: Runtime): CallerWatch {
  const watched = new Map<symbol, { caller: CallerRow; gone: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const callers = [...watched.values()].map((one) => one.caller);
    const live = await liveCallers(rt.store.query, {
      keyIds: [...new Set(callers.map((caller) => caller.keyId))],
      sessionIds: [...new Set(callers.flatMap(({ sessionId }) => sessionId ?? []))],
      ...sessionLimits,
    });
    for (const [name, { caller, gone }] of watched) {
      if (!callers.includes(caller) || live.has(caller.sessionId ?? caller.keyId)) continue;
      watched.delete(name);
      gone();
    }
  }
  const next = () => {
    timer = setTimeout(() => {
      void look()
        // Not to know is not to be revoked: requests are refused all the same while Postgres is away.
        .catch((error: unknown) => rt.log.warn({ err: error }, 'keys of open streams were not looked at'))
        .finally(() => (watched.size > 0 ? next() : (timer = undefined)));
    }, rt.timing.streamCallersMs).unref();
  };

  return {
    watch(caller, gone) {
      const name = Symbol();
      watched.set(name, { caller, gone });
      if (timer === undefined) next();
      return () => void watched.delete(name);
    },
  };
}
