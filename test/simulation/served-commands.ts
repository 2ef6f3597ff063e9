import {
  isStillServed,
  readThreadWithSummary,
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
  await recordServed(query, { ...served, projectId, threadUid: row.uid, prompt });
  const kept: KeptContext = { ...served, projectId, threadId: id, rowVersion: row.rowVersion, promptHash };
  if (stale === null) return isStillServed(query, kept);
  const other = typeof kept[stale] === 'number' ? kept[stale] + 1 : 'other';
  return isStillServed(query, { ...kept, [stale]: other });
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
