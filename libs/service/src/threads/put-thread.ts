import { isDeepStrictEqual } from 'node:util';
import { SpillwayError } from '@spillway/engine';
import { readThread, type ThreadRow } from '@spillway/store';
import { refuseGuarded } from '../policies/policy-locks.js';
import type { Runtime } from '../runtime.js';
import { changeThread } from './change-thread.js';
import { createThread } from './create-thread.js';
import { inputOf, noSettings, type ThreadInput } from './thread-input.js';

/** Callers that put the same thread at the same time overtake one another at most this often. */
const maxTries = 4;

/**
 * Creates a thread with these settings, or gives them to the thread with this id; other settings of it stay. Settings
 * that a thread has already change nothing. Without `mayManage` the policy of an existing thread cannot be changed.
 * Throws `forbidden`, `thread_erased`, `thread_busy`, and `invalid_request` for an invalid policy.
 */
export async function putThread(
  rt: Runtime,
  { projectId, id, mayManage }: { projectId: string; id: string; mayManage: boolean },
  settings: Partial<ThreadInput>,
): Promise<{ thread: ThreadRow; created: boolean }> {
  for (let attempt = 1; attempt <= maxTries; attempt++) {
    const row = await readThread(rt.store.query, projectId, id);
    if (row?.deletedAt) throw new SpillwayError('thread_erased', 'The thread with this id was erased.');
    const changed = row ? changedBy(row, settings) : settings;
    if (row && Object.keys(changed).length === 0) return { thread: row, created: false };
    if (!mayManage && changed.policy) await refusePolicy(rt, projectId, row, changed.policy);
    try {
      if (row) return { thread: await changeThread(rt, projectId, id, changed), created: false };
      return await createThread(rt, projectId, id, { ...noSettings, ...changed });
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new SpillwayError('thread_busy', 'The thread keeps changing. Retry.');
}

const changedBy = (row: ThreadRow, settings: Partial<ThreadInput>): Partial<ThreadInput> => {
  const now = inputOf(row);
  const differs = ([key, value]: [string, unknown]) =>
    !isDeepStrictEqual(now[key as keyof ThreadInput], value);
  return Object.fromEntries(Object.entries(settings).filter(differs));
};

async function refusePolicy(
  rt: Runtime,
  projectId: string,
  row: ThreadRow | undefined,
  policy: ThreadInput['policy'],
): Promise<void> {
  if (!row) return refuseGuarded(rt, projectId, policy);
  throw new SpillwayError(
    'forbidden',
    'A change of the policy of an existing thread needs the scope threads:manage.',
    [{ path: '/policy', message: 'differs from the policy of the thread' }],
  );
}

const isOvertaken = (error: unknown): boolean =>
  error instanceof SpillwayError && (error.code === 'thread_exists' || error.code === 'thread_busy');
