import {
  areStillServed,
  isStillServed,
  readThreadsWithSummary,
  readThreadWithSummary,
  readWindows,
  recordAllServed,
  recordServed,
  servedAt,
  servedThrough,
  servedWithFingerprint,
  shownSummary,
  summaryAt,
  type Query,
  type KeptContext,
  type ThreadRow,
} from '@spillway/store';
import type { Command } from './store-commands.js';

interface Asked {
  seq: number;
  after: number;
  generation: number;
  fingerprint: string;
  /** Which part of what was served differs, if any. */
  stale: (typeof staleParts)[number] | null;
}

/** Serves a context, and asks whether it is still the one to serve, or one that differs in one thing. */
async function serveAndAsk(query: Query, { projectId, id }: ThreadRow, { fingerprint, stale }: Asked) {
  const row = await readThreadWithSummary(query, projectId, id);
  if (!row) return undefined;
  const served = { seq: row.headSeq, generation: row.generation, fingerprint, tokens: 7, frame: '{}' };
  const promptHash = stale === 'frame' ? null : 'a';
  const prompt = promptHash === null ? null : { text: 'Be kind.', hash: promptHash };
  const record = { ...served, projectId, threadUid: row.uid, prompt, ifRowVersion: null };
  await recordServed(query, record);
  const kept: KeptContext = { ...served, projectId, threadId: id, rowVersion: row.rowVersion, promptHash };
  const other = stale !== null && typeof kept[stale] === 'number' ? kept[stale] + 1 : 'other';
  const asked = stale === null ? kept : { ...kept, [stale]: other };
  const unless = { ...record, ifRowVersion: asked.rowVersion };
  return [
    await isStillServed(query, asked),
    await areStillServed(query, [kept, asked, kept]),
    await recordServed(query, unless),
    await recordAllServed(query, [record, unless]),
  ];
}

/** Reads of several threads at once, of one that was looked at, others as they come, and one that never exists. */
async function readTogether(query: Query, { projectId, id }: ThreadRow, { seq, after }: Asked) {
  const ids = [id, 'a', 'never', 'b', id];
  const rows = await readThreadsWithSummary(query, projectId, ids);
  const uids = ids.flatMap((one) => rows.get(one)?.uid ?? []);
  const windows = uids.map((threadUid, i) => ({
    projectId,
    threadUid,
    after,
    through: seq + i,
    also: [i, 1],
  }));
  return [ids.map((one) => rows.get(one)), windows.length > 0 && (await readWindows(query, windows))];
}

/** Contexts of several threads that are recorded at once, two of them at one place. */
async function recordTogether(
  query: Query,
  { projectId, id }: ThreadRow,
  { seq, fingerprint, stale }: Asked,
) {
  const ids = [...new Set([id, 'a', 'b'])];
  const found = await readThreadsWithSummary(query, projectId, ids);
  const rows = ids.flatMap((one) => found.get(one) ?? []);
  const hash = stale === 'promptHash' ? null : stale === 'frame' ? 'a' : 'b';
  const prompt = hash === null ? null : { text: hash === 'a' ? 'Be kind.' : 'Be brief.', hash };
  const served = [...rows, ...rows].map(({ uid, generation }, i) => {
    const context = { fingerprint: `${fingerprint}-${i}`, tokens: i, frame: '{}', prompt };
    const ifRowVersion = stale === 'rowVersion' && i >= rows.length ? 'other' : null;
    return { projectId, threadUid: uid, seq, generation, ...context, ifRowVersion };
  });
  return served.length > 0 && recordAllServed(query, served);
}

/** What `stale` may be. */
export const staleParts = [
  'rowVersion',
  'seq',
  'generation',
  'fingerprint',
  'tokens',
  'promptHash',
  'frame',
] as const;

/** Reads of what contexts showed. */
export const servedReads = (row: ThreadRow, asked: Asked): Command[] => {
  const { projectId, uid } = row;
  const { seq, after, generation, fingerprint } = asked;
  return [
    { name: 'read-together', run: (query) => readTogether(query, row, asked) },
    { name: 'record-together', run: (query) => recordTogether(query, row, asked) },
    { name: 'is-still-served', run: (query) => serveAndAsk(query, row, asked) },
    { name: 'summary-at', run: (query) => summaryAt(query, projectId, uid, seq) },
    { name: 'shown-summary', run: (query) => shownSummary(query, projectId, uid, generation) },
    { name: 'served-at', run: (query) => servedAt(query, projectId, uid, after) },
    { name: 'served-through', run: (query) => servedThrough(query, projectId, uid, after) },
    {
      name: 'served-with-fingerprint',
      run: (query) => servedWithFingerprint(query, projectId, uid, fingerprint),
    },
  ];
};
