import { liveCallers, type CallerRow } from '@spillway/store';
import { sessionLimits } from '../access/authenticate.js';
import type { Runtime } from '../runtime.js';

export interface CallerWatch {
  /** Calls `gone` once when the caller's access ends. Returns a function that stops the watch. */
  watch(caller: CallerRow, gone: () => void): () => void;
}

/** Checks connected callers: one statement for all of them, and only while there are any. */
export function callerWatch(rt: Runtime): CallerWatch {
  const watched = new Map<symbol, { caller: CallerRow; gone: () => void }>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const callers = [...watched.values()].map((one) => one.caller);
    const live = await liveCallers(rt.store.query, {
      keyIds: [...new Set(callers.map((caller) => caller.keyId))],
      sessionIds: [...new Set(callers.flatMap(({ sessionId }) => sessionId ?? []))],
      tokenIds: [...new Set(callers.flatMap(({ token }) => token?.id ?? []))],
      ...sessionLimits,
    });
    for (const [name, { caller, gone }] of watched) {
      if (!callers.includes(caller) || live.has(caller.token?.id ?? caller.sessionId ?? caller.keyId))
        continue;
      watched.delete(name);
      gone();
    }
  }
  const next = () => {
    timer = setTimeout(() => {
      void look()
        // A failed check is not a revocation: requests are refused anyway while Postgres is unavailable.
        .catch((error: unknown) =>
          rt.log.warn({ err: error }, 'the keys of open streams could not be checked'),
        )
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
