import { policyInput } from '@spillway/contracts';
import { noHints, type Outcome, type Payload } from '@spillway/jobs';
import { fairCompactor, openRuntime, readEnv } from '@spillway/service';
import { apiOf, rowsOf, type Stack, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';

let stack: Stack;
let stub: StubLlm;
stackWithModel({ workers: 0 }, (on) => ({ stub, stack } = on));

test('a hint that an attempt sends before it has left its slot is not lost', async () => {
  const api = apiOf(stack);
  const threadId = 'hinted';
  await api.createThread({
    id: threadId,
    policy: { context: { context_window: 8_000, trigger_ratio: 0.3 } },
  });
  // What the attempt spent is written when it has ended, and before it leaves its slot. Only that names its prompt.
  await rowsOf(
    stack.databaseUrl,
    `CREATE FUNCTION take_a_while() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE UPDATE OF prompt_version ON compaction_attempts
      FOR EACH ROW EXECUTE FUNCTION take_a_while()`,
  );
  let calls = 0;
  stub.answer = (call) => {
    if (calls++ > 0) return stub.plain(call);
    const pin = api.call('PATCH', `/v1/threads/${threadId}/messages/1`, { pinned: true });
    return { ...stub.plain(call), after: pin.then(() => undefined) };
  };
  await api.append(threadId, ...turns(14));
  const [project] = await rowsOf<{ id: string }>(stack.databaseUrl, 'SELECT id FROM projects');
  const env = { ...stub.env, DATABASE_URL: stack.databaseUrl, LOG_LEVEL: 'silent' };
  const rt = openRuntime(readEnv(env, policyInput), 'worker');
  // Another slot of the process takes the hint at once.
  let hinted: Promise<Outcome> | undefined;
  const send = (_: string, asked: object): Promise<boolean> => {
    if (hinted) return Promise.resolve(false);
    hinted = compactor.next(asked as Payload<'compact-thread'>);
    return Promise.resolve(true);
  };
  const compactor = fairCompactor(Object.assign(rt, { hints: { ...noHints, send } }));
  try {
    const first = await compactor.next({ projectId: project!.id, threadId });
    expect(first).toMatchObject({ kind: 'skipped', reason: 'lost_cas' });
    expect(await hinted).toMatchObject({ kind: 'done', facts: { generation: 1 } });
  } finally {
    await rt.close();
  }
});
