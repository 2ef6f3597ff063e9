import { randomUUID } from 'node:crypto';
import { queryAs, rowsOf, until } from '@spillway/testing';
import {
  append,
  asProject,
  claim,
  commit,
  finish,
  heartbeat,
  lockThread,
  readBodies,
  readEntries,
  readThread,
  readWindows,
  requestCompaction,
  weighAgain,
  withdraw,
  type Query,
  type Store,
  type ThreadRow,
} from '@spillway/store';
import { expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';
import { untilLocked } from '../until-locked.js';

const leaseMs = 90_000;
const projectId = randomUUID();

let store: Store;
let query: Query;
let url: string;
// With fewer connections the second transaction would wait for one, not for the row.
storeAlone(8, async (on) => {
  ({ url, store } = on);
  query = queryAs(store, projectId);
  await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [projectId, projectId]);
});

const inTransaction: Store['transaction'] = (work) =>
  asProject(projectId, 'test', () => store.transaction(work));

/** A thread over its trigger, claimed by a worker. */
async function claimed(threadId: string, ms = leaseMs): Promise<ThreadRow> {
  await appendTo(threadId);
  return (await claim(query, { projectId, threadId, owner: 'w', leaseMs: ms, prepareAgainMs: 60_000 }))!;
}

async function appendTo(threadId: string, triggerTokens = 10): Promise<void> {
  const unknown = { clientId: null, calls: null, answers: null, outputId: null, media: null, sentAt: null };
  const message = { ...unknown, role: 'user', pinned: false, tokens: 17, fullTokens: 17, body: '{}' };
  const held = { hash: Buffer.alloc(32), outputs: [], format: 'openai', images: 0, mediaHashes: [] };
  await append(query, {
    projectId,
    threadId,
    newUid: randomUUID(),
    baseTokens: 3,
    contextWindow: 1_000,
    limitTokens: 500,
    triggerTokens,
    summaryEnabled: true,
    ahead: { tokens: null, makeAfterMs: null, idleMs: null },
    settingsVersion: 1,
    policyVersion: (await readThread(query, projectId, threadId))?.policyVersion ?? 0,
    ifLastSeq: null,
    messages: [message, message, message].map((one) => ({ ...one, ...held })),
    weight: 51,
    leading: 0,
  });
}

const commitOf = (row: ThreadRow) =>
  commit(query, {
    ...{ projectId, threadUid: row.uid, epoch: row.leaseEpoch, chain: row.chain, request: row.request },
    ...{ generation: row.generation, coveredThrough: row.coveredThrough, contentVersion: row.contentVersion },
    ...{
      newChain: false,
      fromSeq: 1,
      toSeq: 2,
      carried: [],
      clearedThrough: 0,
      holds: null,
      fields: '{}',
      text: 's',
    },
    prepared: null,
    ...{
      summaryTokens: 1,
      liveTokensAtClaim: row.liveTokens,
      tokensBefore: row.liveTokens,
      liveTokensAfter: 5,
      policyVersionAtClaim: row.policyVersion,
      weighedVersionAtClaim: row.weighedVersion,
      tokensAfter: 5,
    },
    ...{
      method: 'llm',
      model: null,
      adopted: null,
      author: null,
      restoredFrom: null,
      failure: null,
      found: '[]',
      shownInstructions: '{}',
    },
    ...{ fidelity: '{}', recall: null, seenSeq: 0 },
  });

const rebuild = { kind: 'rebuild' as const };
const now = async (id: string) => (await readThread(query, projectId, id))!;

test('a thread that is locked by one transaction is not to be had by another', async () => {
  await claimed('locked');
  const order: string[] = [];
  let second: Promise<void> | undefined;
  await inTransaction(async (query) => {
    await lockThread(query, projectId, 'locked');
    second = inTransaction(async (other) => {
      await lockThread(other, projectId, 'locked');
      order.push('second');
    });
    const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until('the second has the row or waits for it', async () => {
      return order.length > 0 || (await rowsOf(url, isWaiting)).length > 0;
    });
    order.push('first');
  });
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('a commit over a thread that was weighed since the claim has it weighed again', async () => {
  const row = await claimed('weighed');
  const weighed = { ...row, liveTokens: 1, settingsVersion: row.settingsVersion + 1 };
  expect(await weighAgain(query, { ...weighed, summaryEnabled: true })).toBeDefined();
  expect(await commitOf(row)).toMatchObject({ mustBeWeighed: true });
  const after = await now('weighed');
  expect(after.weighedVersion).toBe(0);
  expect(after.liveTokens).toBe(5);
});

/** What an attempt reports of the thread as it was claimed. */
const attemptOf = ({ uid, leaseEpoch, nextSeq, request, policyVersion, contentVersion }: ThreadRow) => ({
  ...{ projectId, threadUid: uid, epoch: leaseEpoch, counts: true, tried: true },
  ...{ nextSeq, request, policyVersion, contentVersion },
});

test('what is asked for while a compaction runs is still to be done when it is committed', async () => {
  const row = await claimed('committed');
  await requestCompaction(query, projectId, 'committed', rebuild);
  expect(await commitOf(row)).toEqual({ generation: 1, stillDue: true, mustBeWeighed: false });
  expect(await now('committed')).toMatchObject({ state: 'due', request: JSON.stringify(rebuild) });
  const again = (await claim(query, {
    projectId,
    threadId: 'committed',
    owner: 'w',
    leaseMs,
    prepareAgainMs: 60_000,
  }))!;
  await finish(query, {
    ...attemptOf(again),
    ...{ outcome: 'nothing_to_compact', reason: null, error: null, then: 'idle' },
  });
  expect(await now('committed')).toMatchObject({ state: 'idle', request: null });
});

test('and so it is when that compaction finds nothing to do', async () => {
  const row = await claimed('nothing');
  await requestCompaction(query, projectId, 'nothing', rebuild);
  await finish(query, {
    ...attemptOf(row),
    ...{ outcome: 'nothing_to_compact', reason: 'too_little_to_reclaim', error: null, then: 'idle' },
  });
  expect(await now('nothing')).toMatchObject({ state: 'due', request: JSON.stringify(rebuild) });
});

test('a thread that grew during an attempt with nothing to do stays due', async () => {
  const row = await claimed('grew');
  await appendTo('grew');
  await finish(query, {
    ...attemptOf(row),
    ...{ outcome: 'nothing_to_compact', reason: 'nothing_to_cut', error: null, then: 'idle' },
  });
  expect((await now('grew')).state).toBe('due');
});

test('a thread below its trigger that grew is idle once what was asked for finds nothing to do', async () => {
  const [threadId, trigger] = ['grew-little', 400];
  await appendTo(threadId, trigger);
  await requestCompaction(query, projectId, threadId, rebuild);
  const lease = { projectId, threadId, owner: 'w', leaseMs, prepareAgainMs: 60_000 };
  const row = (await claim(query, lease))!;
  await appendTo(threadId, trigger);
  await finish(query, {
    ...attemptOf(row),
    ...{ outcome: 'nothing_to_compact', reason: 'nothing_to_cut', error: null, then: 'idle' },
  });
  expect(await now(threadId)).toMatchObject({ state: 'idle', request: null });
});

/** An attempt fails and a message is erased, each on the thread as it was before both. Returns what is left of the error. */
async function errorBesideErasure(first: 'error' | 'erasure') {
  const threadId = `repeats-${first}`;
  const row = await claimed(threadId);
  const tombstone = { seq: 2, body: '{}', tokens: 9, hash: Buffer.alloc(32) };
  const { contentVersion, liveTokens, policyVersion } = row;
  const erase = () =>
    withdraw(query, {
      ...{ projectId, threadId, what: { erase: tombstone }, contentVersion, liveTokens, policyVersion },
      ...{ activeGeneration: 0, liveTokensWithout: 46, liveTokensDelta: -8 },
    });
  const fail = () =>
    finish(query, {
      ...attemptOf(row),
      ...{ outcome: 'failed', reason: 'rejected', error: 'refused: "hunter2"', then: { retryInMs: 9 } },
    });
  const both: Promise<unknown>[] = [];
  await inTransaction(async (query) => {
    await lockThread(query, projectId, threadId);
    // They see the thread as it is now, and take its row in this order.
    for (const change of first === 'error' ? [fail, erase] : [erase, fail]) {
      both.push(change());
      await untilLocked(url, both.length);
    }
  });
  await Promise.all(both);
  const attempts = await rowsOf<{ outcome: string; error: string | null }>(
    url,
    'SELECT outcome, error FROM compaction_attempts WHERE thread_uid = $1',
    [row.uid],
  );
  return { attempts, lastError: (await now(threadId)).lastError };
}

const nothingLeft = { attempts: [{ outcome: 'failed', error: null }], lastError: null };

test('what a provider repeats of a message is gone with it, when the error is written first', async () => {
  expect(await errorBesideErasure('error')).toEqual(nothingLeft);
});

test('and when the erasure is written first', async () => {
  expect(await errorBesideErasure('erasure')).toEqual(nothingLeft);
});

test('a worker whose lease another took does not prolong it', async () => {
  const lost = await claimed('taken', 0);
  const taken = (await claim(query, {
    projectId,
    threadId: 'taken',
    owner: 'other',
    leaseMs,
    prepareAgainMs: 60_000,
  }))!;
  expect(taken.leaseEpoch).toBeGreaterThan(lost.leaseEpoch);
  const beat = (row: ThreadRow) =>
    heartbeat(query, {
      ...{ projectId, threadUid: row.uid, epoch: row.leaseEpoch, leaseMs },
      contentVersion: row.contentVersion,
    });
  expect(await beat(lost)).toBe(false);
  expect(await beat(taken)).toBe(true);
});

test('an attempt that reports after another took its lease no longer counts as lost', async () => {
  const slow = await claimed('slow', 0);
  const claims = { projectId, threadId: 'slow', owner: 'other', prepareAgainMs: 60_000 };
  const gone = (await claim(query, { ...claims, leaseMs: 0 }))!;
  const taken = (await claim(query, { ...claims, leaseMs }))!;
  expect([slow, gone, taken].map(({ lostAttempts }) => lostAttempts)).toEqual([1, 2, 3]);
  const report = { ...attemptOf(slow), reason: null, error: null, then: null } as const;
  const late = { ...report, outcome: 'lost_cas', counts: false } as const;
  await finish(query, late);
  await finish(query, late);
  expect(await now('slow')).toMatchObject({ state: 'running', lostAttempts: 2, attempt: 2 });
  const outcomes = await rowsOf<{ outcome: string | null }>(
    url,
    'SELECT outcome FROM compaction_attempts WHERE thread_uid = $1 ORDER BY epoch',
    [slow.uid],
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['lost_cas', 'lost', null]);
  await finish(query, { ...attemptOf(taken), reason: null, error: null, then: null, outcome: 'released' });
  await finish(query, { ...attemptOf(gone), reason: null, error: null, then: null, outcome: 'released' });
  expect((await now('slow')).lostAttempts).toBe(0);
});

test('a heartbeat that arrives after the commit does not take the lease again', async () => {
  const row = await claimed('late');
  await commitOf(row);
  const lease = { projectId, threadUid: row.uid, epoch: row.leaseEpoch, leaseMs };
  expect(await heartbeat(query, { ...lease, contentVersion: row.contentVersion })).toBe(false);
  expect((await now('late')).state).toBe('idle');
});

test('a thread that backs off is not claimed before its time', async () => {
  const row = await claimed('backing-off');
  await finish(query, {
    ...attemptOf(row),
    ...{ outcome: 'failed', reason: 'overloaded', error: null, then: { retryInMs: 60_000 } },
  });
  expect((await now('backing-off')).state).toBe('backoff');
  expect(
    await claim(query, { projectId, threadId: 'backing-off', owner: 'w', leaseMs, prepareAgainMs: 60_000 }),
  ).toBeUndefined();
});

test('a thread is found within its project alone, by the service too', async () => {
  await claimed('within');
  const asServiceQuery = queryAs(store, '*');
  expect(await readThread(asServiceQuery, projectId, 'within')).toBeDefined();
  expect(await readThread(asServiceQuery, randomUUID(), 'within')).toBeUndefined();
});

test('messages are read within their project alone, by the service too', async () => {
  const { uid: threadUid } = await claimed('read-within');
  const asServiceQuery = queryAs(store, '*');
  const seqsOf = async (projectId: string) => {
    const window = { projectId, threadUid, after: 0, through: 2, also: [3] };
    const reads = [
      readEntries(asServiceQuery, window),
      readWindows(asServiceQuery, [window]).then(([first]) => first!),
      readBodies(asServiceQuery, projectId, threadUid, [1, 2, 3]),
    ];
    return (await Promise.all(reads)).map((rows: { seq: number }[]) => rows.map(({ seq }) => seq));
  };
  expect(await seqsOf(projectId)).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(await seqsOf(randomUUID())).toEqual([[], [], []]);
});
