import { until, type Api, type StubLlm } from '@spillway/testing';
import { beforeEach, expect, test } from 'vitest';
import { turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';

let api: Api;
let stub: StubLlm;
// Without a poll, a thread is compacted only when somebody says that it is due.
stackWithModel({ env: { SPILLWAY_POLL_MS: '60000' } }, (on) => ({ api, stub } = on));

let threads = 0;
let id: string;
beforeEach(async () => {
  id = `overtaken-${++threads}`;
  await api.createThread({ id, policy: { context: { context_window: 8_000, trigger_ratio: 0.3 } } });
});

const outcomes = async () => (await api.compactions(id)).map(({ outcome }) => outcome);

test('a compaction that a pin overtakes is repeated at once, and not with the next poll', async () => {
  let pinned = 0;
  stub.answer = (call) => {
    if (pinned >= 3) return stub.plain(call);
    const seq = ++pinned;
    const after = api
      .call('PATCH', `/v1/threads/${id}/messages/${seq}`, { pinned: true })
      .then(({ status }) => expect(status).toBe(200));
    return { ...stub.plain(call), after };
  };
  await api.append(id, ...turns(14));
  await until('the thread has a summary', async () => (await api.summaries(id)).length > 0);
  expect(await outcomes()).toEqual(['compacted', 'lost_cas', 'lost_cas', 'lost_cas']);
});

test('one that is overtaken again and again waits for the poll in the end', async () => {
  let pinned = false;
  stub.answer = (call) => {
    pinned = !pinned;
    const after = api
      .call('PATCH', `/v1/threads/${id}/messages/1`, { pinned })
      .then(({ status }) => expect(status).toBe(200));
    return { ...stub.plain(call), after };
  };
  await api.append(id, ...turns(14));
  await until(
    'the attempts end',
    async () => (await outcomes()).filter((o) => o === 'lost_cas').length === 6,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await outcomes()).toHaveLength(6);
  expect((await api.thread(id)).compaction.state).toBe('due');
});
