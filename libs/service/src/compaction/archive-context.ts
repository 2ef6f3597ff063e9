import { contextKey, contextPrefix, contextRange } from '@spillway/blobs';
import type { CompactionPlan } from '@spillway/engine';
import { countWithin, messageSizes, readBodies, readThread, type ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** Target size of a file, which holds at least one message. It bounds memory, however long the range is. */
const fileBytes = 4 * 1024 * 1024;
const fileMessages = 500;

/**
 * Writes messages 1..toSeq to the thread's folder, one JSON object a line, where an agent may grep them (AgentScope's
 * offload_context). Writes only ranges that no file holds: the range of this compaction, and what an erasure or a
 * policy without archive left out. Runs before the commit, so a crash leaves no gap; a file's name contains its range.
 * Files beyond the active summary are written anew: a process may have ended before it removed erased or rewound
 * messages from them. False when the messages changed meanwhile, after removing the files it wrote: erased text must not
 * come back.
 */
export async function archiveContext(
  rt: Runtime,
  row: ThreadRow,
  { toSeq }: CompactionPlan,
): Promise<boolean> {
  const written: string[] = [];
  const { kept, stale } = await archivedFiles(rt, row, toSeq);
  for (const gap of gapsIn(kept, toSeq)) {
    for (let after = gap.from - 1; after < gap.to;) {
      const seqs = await nextSeqs(rt, row, after, gap.to);
      if (seqs.length === 0) break;
      const [from, to] = [seqs[0]!, seqs.at(-1)!];
      const key = contextKey(row.projectId, row.uid, from, to);
      written.push(key);
      await rt.blobs.write(key, await linesOf(rt, row, seqs));
      after = to;
    }
  }
  const now = await readThread(rt.store.query, row.projectId, row.id);
  if (!now || now.deletedAt !== null || now.contentVersion !== row.contentVersion) {
    for (const key of written) await rt.blobs.remove(key);
    return false;
  }
  // A worker that took over has committed: its files are not stale, and this compaction's commit will be refused.
  if (now.generation !== row.generation) await removeHeldTwice(rt, now, written);
  else for (const key of stale) if (!written.includes(key)) await rt.blobs.remove(key);
  return true;
}

/**
 * Removes the files that contain one of these messages. The next compaction writes their other messages again, without
 * those that were rewound.
 */
export async function removeFromArchive(
  rt: Runtime,
  { projectId, uid }: Pick<ThreadRow, 'projectId' | 'uid'>,
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
): Promise<void> {
  for await (const { key } of rt.blobs.list(contextPrefix(projectId, uid))) {
    const range = contextRange(key);
    if (!range || (range.from <= toSeq && fromSeq <= range.to)) await rt.blobs.remove(key);
  }
}

interface Range {
  from: number;
  to: number;
}

/** The ranges of files that the active summary covers, sorted, and the keys of other files up to `toSeq`. */
async function archivedFiles(
  rt: Runtime,
  { projectId, uid, coveredThrough }: ThreadRow,
  toSeq: number,
): Promise<{ kept: Range[]; stale: string[] }> {
  const kept: Range[] = [];
  const stale: string[] = [];
  for await (const { key } of rt.blobs.list(contextPrefix(projectId, uid))) {
    const range = contextRange(key);
    if (range && range.to <= coveredThrough) kept.push(range);
    else if (range && range.from <= toSeq) stale.push(key);
  }
  return { kept: kept.sort((a, b) => a.from - b.from), stale };
}

/** Removes those of these files whose messages other files up to the active summary hold as well. */
async function removeHeldTwice(rt: Runtime, now: ThreadRow, keys: readonly string[]): Promise<void> {
  let { kept } = await archivedFiles(rt, now, now.coveredThrough);
  for (const key of keys) {
    const own = contextRange(key)!;
    const others = kept.filter(({ from, to }) => from !== own.from || to !== own.to);
    if (own.to <= now.coveredThrough && gapsIn(others, now.coveredThrough).length > 0) continue;
    await rt.blobs.remove(key);
    kept = others;
  }
}

/** The parts of 1..toSeq that no range covers; `ranges` are sorted by their starts. */
export function gapsIn(ranges: readonly Range[], toSeq: number): Range[] {
  const gaps: Range[] = [];
  let next = 1;
  for (const { from, to } of ranges) {
    if (from > next) gaps.push({ from: next, to: Math.min(from - 1, toSeq) });
    next = Math.max(next, to + 1);
    if (next > toSeq) return gaps;
  }
  return [...gaps, { from: next, to: toSeq }];
}

/** The messages of the next file. */
async function nextSeqs(rt: Runtime, row: ThreadRow, after: number, to: number): Promise<number[]> {
  const range = { projectId: row.projectId, threadUid: row.uid, after, before: to + 1, limit: fileMessages };
  const sizes = await messageSizes(rt.store.query, range);
  return sizes.slice(0, countWithin(sizes, fileBytes)).map(({ seq }) => seq);
}

async function linesOf(rt: Runtime, row: ThreadRow, seqs: readonly number[]): Promise<Buffer> {
  const rows = await readBodies(rt.store.query, row.projectId, row.uid, [...seqs]);
  const lines = rows
    .filter(({ rewoundBefore }) => rewoundBefore === 0)
    .map(
      ({ seq, createdAt, sentAt, format, body }) =>
        `{"seq":${seq},"at":"${(sentAt ?? createdAt).toISOString()}","format":"${format}","message":${body}}\n`,
    );
  return Buffer.from(lines.join(''), 'utf8');
}
