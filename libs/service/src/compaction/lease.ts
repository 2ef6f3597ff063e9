import { heartbeat, type ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

export interface Lease {
  /** Aborted when the lease is lost, the covered text changed, compaction is paused, or the process shuts down. */
  signal: AbortSignal;
  release: () => void;
}

/**
 * Renews the lease of a claimed thread. A lease that was not renewed in time is treated as lost: another worker may
 * hold the thread by then, and a summary that cannot be committed costs money.
 */
export function holdLease(rt: Runtime, row: ThreadRow): Lease {
  const lost = new AbortController();
  let renewedAt = performance.now();
  const renew = async () => {
    try {
      const held = await heartbeat(rt.store.query, {
        projectId: row.projectId,
        threadUid: row.uid,
        epoch: row.leaseEpoch,
        contentVersion: row.contentVersion,
        leaseMs: rt.leaseMs,
      });
      if (held) renewedAt = performance.now();
      else lost.abort();
    } catch (error) {
      rt.log.warn({ err: error, thread: row.uid }, 'a lease could not be renewed');
      if (performance.now() - renewedAt > rt.leaseMs) lost.abort();
    }
  };
  const timer = setInterval(() => void renew(), rt.leaseMs / 3);
  return {
    signal: AbortSignal.any([lost.signal, rt.draining]),
    release: () => clearInterval(timer),
  };
}
