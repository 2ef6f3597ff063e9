import type { ThreadRecord } from '../rows.js';
import type { MemoryStatement } from '../statement.js';
import type { Tables } from '../tables.js';

export const isDue = (tables: Tables, t: ThreadRecord): boolean => t.needsCompaction && isFree(tables, t);

export const mayBePrepared = (tables: Tables, t: ThreadRecord): boolean =>
  !t.needsCompaction && t.prepareAt !== null && t.prepareAt <= tables.now() && isFree(tables, t);

function isFree(tables: Tables, t: ThreadRecord): boolean {
  const now = tables.now();
  return (
    t.deletedAt === null &&
    t.parkReason === null &&
    !tables.isPaused(t.projectId) &&
    (t.leaseUntil === null || t.leaseUntil <= now) &&
    (t.nextAttemptAt === null || t.nextAttemptAt <= now) &&
    (t.preparedState !== 'proposed' ||
      t.request !== null ||
      t.liveTokens >= Math.trunc((t.triggerTokens + t.limitTokens) / 2))
  );
}

/** Round-robin between projects: the oldest of each first, then the second of each. */
export const dueThreads: MemoryStatement = {
  run: (tables, [limit]) => {
    const turns = new Map<string, number>();
    return [...tables.threads()]
      .filter(({ row }) => isDue(tables, row))
      .sort((a, b) => (a.row.requestedAt ?? Infinity) - (b.row.requestedAt ?? Infinity))
      .map(({ row }) => {
        const turn = (turns.get(row.projectId) ?? 0) + 1;
        turns.set(row.projectId, turn);
        return { row, turn };
      })
      .sort((a, b) => a.turn - b.turn)
      .slice(0, limit as number)
      .map(({ row }) => ({
        projectId: row.projectId,
        threadId: row.id,
        generation: row.generation,
        leaseEpoch: row.leaseEpoch,
        waitedMs: tables.now() - (row.requestedAt ?? tables.now()),
      }));
  },
};

export const threadsToPrepare: MemoryStatement = {
  run: (tables, [limit]) =>
    [...tables.threads()]
      .filter(({ row }) => mayBePrepared(tables, row))
      .sort((a, b) => a.row.prepareAt! - b.row.prepareAt!)
      .slice(0, limit as number)
      .map(({ row }) => ({
        projectId: row.projectId,
        threadId: row.id,
        generation: row.generation,
        leaseEpoch: row.leaseEpoch,
        waitedMs: tables.now() - row.prepareAt!,
      })),
};

/** The sixteen of each project that have waited longest. */
export const dueThreadsOfEachProject: MemoryStatement = {
  run: (tables) => {
    const all = dueThreads.run(tables, [Infinity], undefined, []) as { projectId: string }[];
    const counts = new Map<string, number>();
    return all.filter(({ projectId }) => {
      const count = (counts.get(projectId) ?? 0) + 1;
      counts.set(projectId, count);
      return count <= 16;
    });
  },
};
