import { policyInput } from '@spillway/contracts';
import { fairCompactor, openRuntime, readEnv } from '@spillway/service';
import { apiOf, rowsOf, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
});
afterAll(() => stack?.stop());

test('a thread that Postgres refuses to give to a worker does not keep the threads behind it waiting', async () => {
  const api = apiOf(stack);
  for (const id of ['refused', 'behind']) {
    await api.createThread({ id, policy: { context: { context_window: 8_000, trigger_ratio: 0.3 } } });
    const turn = (i: number) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: 'A dull thread. '.repeat(90),
    });
    await api.append(id, ...Array.from({ length: 10 }, (_, i) => turn(i)));
  }
  await rowsOf(
    stack.databaseUrl,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE OF lease_owner ON threads FOR EACH ROW
      WHEN (OLD.id = 'refused') EXECUTE FUNCTION refuse()`,
  );
  const env = { DATABASE_URL: stack.databaseUrl, SPILLWAY_LLM_PROVIDER: 'extractive', LOG_LEVEL: 'silent' };
  const rt = openRuntime(readEnv(env, policyInput), 'worker');
  try {
    const compactor = fairCompactor(rt);
    expect(await compactor.next()).toMatchObject({ kind: 'done', facts: { thread_id: 'behind' } });
    // With nothing else to do, the defect is the job's.
    await expect(compactor.next()).rejects.toThrow(/never/);
  } finally {
    await rt.close();
  }
});
