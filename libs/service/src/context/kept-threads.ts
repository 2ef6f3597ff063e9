import type { AppendedThread, KeptContext, ThreadWithSummary, VersionedRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { ContextQuery, ReadContext } from './context.js';
import type { WindowMessage } from '../messages/entries.js';

/** Characters of all threads that a process keeps: a message is there as an object and as JSON. */
const maxLength = 5_000_000;
/** Of one of them. */
const maxLengthEach = 1_250_000;
/** Of a thread without any text. */
const rowLength = 4_000;

/** All that contexts of a thread are built from, as of one version of its row. */
export interface KnownThread {
  row: ThreadWithSummary;
  /** The messages after the summary, and those that it carries. */
  window: readonly WindowMessage[];
}

interface Served {
  /** What was asked for, see keyOf. */
  key: string;
  context: ReadContext;
  /** What Postgres compares with its rows. */
  record: KeptContext;
}

interface Kept extends KnownThread {
  /** The context that was served last; null when the next one may differ although the thread's row does not. */
  served: Served | null;
}

type ThreadName = Pick<ContextQuery, 'projectId' | 'threadId'>;

/**
 * The threads of which this process served contexts last, with the messages that those show, so that the next context
 * reads nothing again. Another process may have changed a thread since: a context made from what is kept is served only
 * when Postgres says, in the statement that records it, that the thread's row has the same version still
 * ([ADR 124](../../../../docs/adr/0124-threads-are-kept-and-checked.md)).
 */
export class KeptThreads {
  private readonly threads = new LRUCache<string, Kept>({
    maxSize: maxLength,
    maxEntrySize: maxLengthEach,
    sizeCalculation: ({ row, window }) =>
      [row.system, row.tools, row.metadata, row.policy, row.sText, row.sInstructions].reduce(
        (sum, text) => sum + (text?.length ?? 0),
        window.reduce((sum, { length }) => sum + length, rowLength),
      ),
  });

  find(thread: ThreadName): KnownThread | undefined {
    return this.threads.get(nameOf(thread));
  }

  /** The context that was served last, if this query asks for the same. */
  findServed(query: ContextQuery): Served | undefined {
    const served = this.threads.get(nameOf(query))?.served;
    return served && served.key === keyOf(query) ? served : undefined;
  }

  keep(query: ContextQuery, known: KnownThread, served: Omit<Served, 'key'> | null): void {
    const key = keyOf(query);
    const last = served === null || key === null ? null : { key, ...served };
    this.threads.set(nameOf(query), { row: known.row, window: known.window, served: last });
  }

  /**
   * After an append of so many messages by this process, whose statement returned `row`: those that were kept and the
   * new ones are what a context is built from now. Forgets the thread when anything else changed since it was kept.
   */
  append(row: AppendedThread, count: number, read: () => readonly WindowMessage[]): void {
    this.follow(row, { messages: count, settings: 0 }, read);
  }

  /** The same after this process stored a measured ratio, which counts as a change of the thread's settings. */
  calibrate(row: VersionedRow): void {
    this.follow(row, { messages: 0, settings: 1 }, () => []);
  }

  private follow(row: AppendedThread, changes: Changes, read: () => readonly WindowMessage[]): void {
    const name = nameOf({ projectId: row.projectId, threadId: row.id });
    const kept = this.threads.get(name);
    if (!kept) return;
    if (!hasChangedBy(kept.row, row, changes)) this.threads.delete(name);
    else
      this.threads.set(name, {
        row: { ...kept.row, ...row },
        window: [...kept.window, ...read()],
        served: null,
      });
  }

  forget(thread: ThreadName): void {
    this.threads.delete(nameOf(thread));
  }
}

/** What a statement of this process did to a thread. */
interface Changes {
  messages: number;
  /** Changes that moved the policy version. */
  settings: number;
}

/**
 * Whether that is all that changed of what contexts show. Folds and undone ones move the generation; whatever changes
 * messages that are there, or withdraws a summary, moves the content version; the texts that an append does not return
 * move the policy version.
 */
const hasChangedBy = (before: VersionedRow, after: AppendedThread, by: Changes): boolean =>
  after.uid === before.uid &&
  after.nextSeq === before.nextSeq + by.messages &&
  before.headSeq === before.nextSeq - 1 &&
  after.generation === before.generation &&
  after.chain === before.chain &&
  after.contentVersion === before.contentVersion &&
  after.policyVersion === before.policyVersion + by.settings &&
  after.settingsVersion === before.settingsVersion;

const nameOf = ({ projectId, threadId }: ThreadName): string => `${projectId}/${threadId}`;

/** Null for a query with texts of its own: they may be large, and differ from turn to turn. */
function keyOf(query: ContextQuery): string | null {
  const { maxTokens, at, system, format, alternate, reasoning, model, tools } = query;
  if (at !== undefined || system !== undefined || tools?.length) return null;
  return JSON.stringify([maxTokens, format, alternate, reasoning, model]);
}
