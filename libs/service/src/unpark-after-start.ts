import { asService, unparkAll } from '@spillway/store';
import type { Runtime } from './runtime.js';

/**
 * Threads whose provider refused our key are looked at again: a process that starts may have been given a better one.
 * Without a database now, the next start does it; nothing else waits for this.
 */
export async function unparkAfterStart(rt: Runtime): Promise<void> {
  try {
    const count = await asService(() => unparkAll(rt.store.query, 'auth'));
    if (count > 0) rt.log.info({ count }, 'threads that waited for another provider key are due again');
  } catch (error) {
    rt.log.warn({ err: error }, 'threads that wait for a provider key were not looked at');
  }
}
