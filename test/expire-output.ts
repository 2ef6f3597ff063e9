import { rowsOf, sweepNow, type Stack } from '@spillway/testing';

/** Lets an output expire as it does when its time is over: a sweep removes its bytes and leaves a tombstone. */
export async function expireOutput(
  stack: Pick<Stack, 'databaseUrl' | 'outputsFolder'>,
  id: string,
): Promise<void> {
  const expired = await rowsOf(
    stack.databaseUrl,
    `UPDATE outputs SET expires_at = now() - interval '1 s' WHERE id = $1 AND state = 'ready' RETURNING id`,
    [id],
  );
  if (expired.length === 0) throw new Error(`There is no output ${id} that can expire.`);
  await sweepNow(stack, { storage: false });
}
