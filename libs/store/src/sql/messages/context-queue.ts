import { Grouped, passedOver } from '../../connection/grouped.js';
import type { Query, Store } from '../../connection/store.js';
import {
  readEntriesWithBodies,
  readWindows,
  type BodyRow,
  type EntryRow,
  type Window,
} from './read-context.js';
import {
  readThreadsWithSummary,
  readThreadWithSummary,
  type ThreadWithSummary,
} from '../threads/read-thread.js';
import {
  areStillServed,
  deleteUnusedPrompt,
  isStillServed,
  placeOf,
  recordAllServed,
  recordServed,
  type KeptContext,
  type RecordServed,
} from './served-contexts.js';

interface ThreadName {
  projectId: string;
  id: string;
}

/** Tokens of a window from which it is read alone: others should not wait for its bytes. */
const aloneFrom = 16_000;

/**
 * The statements of contexts, those that come while Postgres is busy together: reads of the threads, of their messages,
 * whether a kept context is current, and records of what was served. A read begins after it was asked for, so it sees
 * whatever was acknowledged before.
 */
export class ContextQueue {
  private readonly threads: Grouped<ThreadName, ThreadWithSummary | undefined>;
  private readonly windows: Grouped<Window, (EntryRow & BodyRow)[]>;
  private readonly kept: Grouped<KeptContext, boolean>;
  private readonly records: Grouped<RecordServed, boolean>;

  private readonly query: Query;

  constructor({ query, transaction }: Pick<Store, 'query' | 'transaction'>) {
    this.query = query;
    this.threads = new Grouped({
      alone: ({ projectId, id }) => readThreadWithSummary(query, projectId, id),
      together: async (names) => {
        const ids = names.map(({ id }) => id);
        const rows = await readThreadsWithSummary(query, names[0]!.projectId, ids);
        return ids.map((id) => rows.get(id));
      },
    });
    this.windows = new Grouped({
      alone: (window) => readEntriesWithBodies(query, window),
      together: (windows) => readWindows(query, windows),
    });
    this.kept = new Grouped({
      alone: (kept) => isStillServed(query, kept),
      together: (all) => areStillServed(query, all),
    });
    this.records = new Grouped<RecordServed, boolean>({
      // The later must see the earlier, to delete a prompt that it alone showed.
      turnOf: (served) => placeOf(served),
      alone: async (served) => {
        const { isRecorded, unusedPrompt } = await recordServed(query, served);
        if (unusedPrompt !== null) {
          const { projectId, threadUid } = served;
          await transaction((own) => deleteUnusedPrompt(own, { projectId, threadUid, hash: unusedPrompt }));
        }
        return isRecorded;
      },
      together: async (all) => {
        const recorded = await recordAllServed(query, all);
        return recorded.map((isRecorded) => isRecorded || passedOver);
      },
    });
  }

  /** Like `readThreadWithSummary`. */
  readThread(projectId: string, id: string): Promise<ThreadWithSummary | undefined> {
    return this.threads.ask({ projectId, id });
  }

  /** Like `readEntriesWithBodies`, of a window with about this many tokens. */
  readWindow(window: Window, tokens: number): Promise<(EntryRow & BodyRow)[]> {
    return tokens < aloneFrom ? this.windows.ask(window) : readEntriesWithBodies(this.query, window);
  }

  /** Like `isStillServed`. */
  isStillServed(kept: KeptContext): Promise<boolean> {
    return this.kept.ask(kept);
  }

  /** Like `recordServed`. */
  record(served: RecordServed): Promise<boolean> {
    return this.records.ask(served);
  }
}
