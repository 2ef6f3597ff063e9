import { addUsage, asProject } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** Adds this process's counts to Postgres, one statement per project. A failed write is repeated the next time. */
export async function writeUsage(rt: Runtime): Promise<void> {
  for (const [projectId, byModel] of rt.usage.take()) {
    try {
      await asProject(projectId, 'service', () => addUsage(rt.store.query, projectId, byModel));
    } catch (error) {
      rt.usage.giveBack(projectId, byModel);
      rt.log.warn({ err: error }, 'usage could not be written; it is retried');
    }
  }
}

/** Writes usage every few seconds. Returns a function that stops and writes the rest. */
export function startUsageWriter(rt: Runtime): () => Promise<void> {
  let stopped = false;
  let writing: Promise<void> = Promise.resolve();
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
    await writeUsage(rt);
  };
}
