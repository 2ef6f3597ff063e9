import { addUsage, asProject, isRefusedValue } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/**
 * Adds this process's counts to Postgres, one statement per project. False when one failed; it is repeated the next
 * time, unless Postgres refused its numbers.
 */
export async function writeUsage(rt: Runtime): Promise<boolean> {
  const { usage } = rt;
  let isWritten = true;
  for (const [projectId, batch] of usage.take()) {
    try {
      const { writer } = usage;
      await asProject(projectId, 'service', () => addUsage(rt.store.query, { projectId, writer, batch }));
      usage.written(projectId);
    } catch (error) {
      if (isRefusedValue(error)) {
        // Each repetition would fail, and hold up what is counted after it.
        usage.written(projectId);
        rt.log.error({ err: error, projectId }, 'usage that Postgres refuses was dropped');
        continue;
      }
      isWritten = false;
      rt.log.warn({ err: error }, 'usage could not be written; it is retried');
    }
  }
  return isWritten;
}

/** Writes usage every few seconds. Returns a function that stops and writes the rest. */
export function startUsageWriter(rt: Runtime): () => Promise<void> {
  let stopped = false;
  let writing: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(() => {
      writing = writeUsage(rt).finally(() => stopped || next());
    }, rt.timing.usageMs).unref();
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await writing;
    // The second time writes what was counted while a batch was repeated.
    if (await writeUsage(rt)) await writeUsage(rt);
  };
}
