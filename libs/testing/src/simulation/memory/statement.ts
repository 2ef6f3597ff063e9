import type { ThreadTable } from './rows.js';
import type { Tables } from './tables.js';

/** One statement of libs/store/src/sql, over tables in memory: the same values in, the same rows out. */
export interface MemoryStatement {
  /** The thread of the statement. */
  of?: (tables: Tables, values: readonly unknown[]) => ThreadTable | undefined;
  /** It writes that thread's row, and so waits for its lock. */
  writes?: true;
  /** The snapshot of a statement, taken before it waits for the row lock. */
  look?: (tables: Tables, values: readonly unknown[]) => unknown;
  run: (tables: Tables, values: readonly unknown[], seen: unknown, undo: Undo) => object[];
}

/** Undo steps of a transaction, newest last. */
export type Undo = (() => void)[];

export const byThreadId = (tables: Tables, [projectId, id]: readonly unknown[]): ThreadTable | undefined =>
  tables.find(projectId, id);

export const byThreadUid = (tables: Tables, [projectId, uid]: readonly unknown[]): ThreadTable | undefined =>
  tables.findUid(projectId, uid);
