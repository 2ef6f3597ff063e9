import type { Query, Store } from '@spillway/store';
import type { ThreadTable } from './rows.js';
import type { Undo } from './statement.js';
import { voidIfChanged, withoutVoid } from './statements/prepare.js';
import { statements } from './statements.js';
import type { Tables } from './tables.js';

/** A pending request of a process to the world. It has no effect before `perform` is called. */
export interface Ask {
  /** The statement's name. */
  name: string;
  /** Whether it could be performed now, or waits for a row lock. */
  isReady: () => boolean;
  perform: () => unknown;
  /** A single statement: it may take effect although its caller is gone. */
  outlives?: boolean;
  /** A request to a model, not to the database. */
  isOfModel?: boolean;
}

/** Lets a process make requests; the gate's owner decides when they happen, and whether the answer arrives. */
export type Gate = (ask: Ask) => Promise<unknown>;

/** Performs the request at once. */
export const openGate: Gate = (ask) =>
  new Promise((resolve) => {
    resolve(ask.perform());
  });

interface Transaction {
  undo: Undo;
  locks: Set<ThreadTable>;
}

export interface MemoryStore extends Store {
  /** The database's reaction to a lost client: rolls its transactions back. */
  disconnect: () => void;
}

/** libs/store's `Store` over tables in memory, for one process that reaches them through a gate. */
export function openMemoryStore(tables: Tables, gate: Gate): MemoryStore {
  const open = new Set<Transaction>();
  const end = (transaction: Transaction, undone: boolean) => {
    if (!open.delete(transaction)) return;
    if (undone) for (const undo of transaction.undo.reverse()) undo();
    for (const thread of transaction.locks) {
      thread.lockedBy = null;
      thread.committed = null;
    }
  };

  const queryIn = (transaction: Transaction | null): Query =>
    (({ name }, values) => {
      const statement = statements[name];
      if (!statement) throw new Error(`The memory store has no statement ${name}.`);
      const seen = statement.look?.(tables, values);
      const thread = () => statement.of?.(tables, values);
      return gate({
        name,
        outlives: transaction === null,
        // Uncommitted changes of others are invisible.
        isReady: () => {
          const { lockedBy = null, committed = null } = thread() ?? {};
          const isFree = lockedBy === null || lockedBy === transaction;
          return isFree || (!statement.writes && committed === null);
        },
        perform: () => {
          if (transaction && !open.has(transaction)) throw new Error('This transaction has ended.');
          const before = thread()?.messages.length ?? 0;
          const known = statement.writes ? thread() : undefined;
          const row = known && { ...known.row };
          const rows = statement.run(tables, values, seen, transaction?.undo ?? []);
          if (row && voidIfChanged(row, known)) rows.forEach((answer) => withoutVoid(answer, known));
          const written = statement.writes && thread();
          if (transaction && written) {
            written.lockedBy = transaction;
            transaction.locks.add(written);
            if (written.messages.length > before) written.committed ??= before;
          }
          return rows;
        },
      });
    }) as Query;

  return {
    query: queryIn(null),
    transaction: async (work) => {
      const transaction: Transaction = { undo: [], locks: new Set() };
      open.add(transaction);
      try {
        const result = await work(queryIn(transaction));
        const commit = () => end(transaction, false);
        await gate({ name: 'COMMIT', isReady: () => true, perform: commit });
        return result;
      } finally {
        end(transaction, true);
      }
    },
    prisma: prismaOver(tables, gate),
    connections: () => ({ used: 0, idle: 0, waiting: 0, max: 0 }),
    close: () => Promise.resolve(),
    disconnect: () => {
      for (const transaction of open) end(transaction, true);
    },
  };
}

/** The Prisma calls of the simulated use cases. */
function prismaOver(tables: Tables, gate: Gate): Store['prisma'] {
  const read = (name: string, perform: () => unknown) => gate({ name, isReady: () => true, perform });
  const prisma = {
    project: {
      findFirst: ({ where }: { where: { id: string } }) =>
        read('find-project', () => tables.projects.get(where.id) ?? null),
    },
    modelOverride: { findMany: () => read('list-model-overrides', () => []) },
    session: { findMany: () => read('list-sessions', () => []) },
    threadToken: { findMany: () => read('list-thread-tokens', () => []) },
    apiKey: { findMany: () => read('list-keys', () => []) },
    summary: {
      findFirst: ({ where }: { where: SummaryKey }) =>
        read('find-summary', () => {
          const { projectId, threadUid, generation } = where;
          const thread = tables.findUid(projectId, threadUid);
          return thread?.summaries.find((summary) => summary.generation === generation) ?? null;
        }),
    },
  };
  return prisma as unknown as Store['prisma'];
}

interface SummaryKey {
  projectId: string;
  threadUid: string;
  generation: number;
}
