import {
  asProject,
  asService,
  compareEventPositions,
  eventsAfter,
  eventsEdge,
  type EventPosition,
  type EventRow,
} from '@spillway/store';
import { setTimeout as sleep } from 'node:timers/promises';
import { outageLog, type OutageLog } from '../operations/outage-log.js';
import type { Runtime } from '../runtime.js';

/** How often Postgres is polled, once for all readers of a process and only while there are any. */
const pollMs = 250;

export interface EventReader {
  projectId: string;
  threadId: string | null;
  /** Receives events in order, each exactly once. While the reader catches up, a returned promise is awaited. */
  give(rows: EventRow[], through: EventPosition): Promise<void> | void;
  /** Called once when the feed cannot continue for this reader. */
  fail(error: unknown): void;
}

interface Reading extends EventReader {
  /** The last position that the reader received. */
  at: EventPosition;
  /** An event that its caller knows, although it lies after `at`: of its transaction only later ones are given. */
  known: EventPosition | null;
  ended: boolean;
}

/**
 * Reads events for many readers at once. A reader that is behind catches up with its own reads and then joins the
 * shared read that serves all others.
 */
export class EventFeed {
  /** Readers that received everything up to `position`, or more. */
  private readonly following = new Set<Reading>();
  private position: EventPosition | null = null;
  private polling = false;

  private readonly outages: OutageLog;

  constructor(private readonly rt: Runtime) {
    this.outages = outageLog(rt.log, 'the read of events');
  }

  /**
   * Starts to read after a position. Without one, or with one that this database has not reached because it was
   * restored, reading starts now. A list of events shows some that lie after the edge, because an older transaction is
   * running: after one of those reading starts at the edge, so that what that transaction wrote is given too. Returns
   * the start position and a function that stops reading.
   */
  async read(
    reader: EventReader,
    after: EventPosition | null,
  ): Promise<{ from: EventPosition; stop: () => void }> {
    const now = await asProject(reader.projectId, 'service', () => eventsEdge(this.rt.store.query));
    const from = after && BigInt(after.xid) <= BigInt(now.xid) ? after : now;
    const reading: Reading = { ...reader, at: from, known: from === after ? null : after, ended: false };
    const stop = () => {
      reading.ended = true;
      this.following.delete(reading);
    };
    // Started after the caller knows the start position.
    setImmediate(() => void this.catchUp(reading));
    return { from, stop };
  }

  private async catchUp(reading: Reading): Promise<void> {
    const { projectId, threadId } = reading;
    try {
      while (!reading.ended) {
        const page = await asProject(projectId, 'service', () =>
          eventsAfter(this.rt.store.query, [projectId], reading.at, threadId),
        );
        if (reading.ended) return;
        reading.at = page.through;
        await reading.give(
          page.rows.filter((row) => isNew(row, reading.known)),
          page.through,
        );
        // The others may be ahead by now; then the events in between are read first.
        if (!page.more && (this.position === null || compareEventPositions(reading.at, this.position) >= 0)) {
          return this.follow(reading);
        }
      }
    } catch (error) {
      if (reading.ended) return;
      reading.ended = true;
      reading.fail(error);
    }
  }

  private follow(reading: Reading): void {
    if (reading.ended) return;
    this.following.add(reading);
    this.position ??= reading.at;
    if (this.polling) return;
    this.polling = true;
    void this.poll();
  }

  private async poll(): Promise<void> {
    while (this.following.size > 0 && !this.rt.draining.aborted) {
      let more = false;
      try {
        more = await this.once();
        this.outages.worked();
      } catch (error) {
        // Nothing is lost: the position did not move, and the next read starts from there.
        this.outages.failed(error);
      }
      if (!more) await sleep(pollMs, undefined, { ref: false });
    }
    this.polling = false;
    this.position = null;
  }

  private async once(): Promise<boolean> {
    const followers = [...this.following];
    const projects = [...new Set(followers.map((reading) => reading.projectId))];
    const page = await asService(() => eventsAfter(this.rt.store.query, projects, this.position!));
    this.position = page.through;
    const byProject = Map.groupBy(page.rows, (row) => row.projectId);
    for (const reading of followers) {
      if (reading.ended) continue;
      const rows = (byProject.get(reading.projectId) ?? []).filter(
        (row) =>
          compareEventPositions(row, reading.at) > 0 &&
          isNew(row, reading.known) &&
          (reading.threadId === null || row.threadId === reading.threadId),
      );
      if (compareEventPositions(page.through, reading.at) > 0) reading.at = page.through;
      if (rows.length > 0) void reading.give(rows, reading.at);
    }
    // A reader that joined during this read was not part of it: it catches up once more.
    for (const reading of [...this.following]) {
      if (followers.includes(reading) || compareEventPositions(reading.at, page.through) >= 0) continue;
      this.following.delete(reading);
      void this.catchUp(reading);
    }
    return page.more;
  }
}

/** Whether a caller that knows an event need not know this one: those of a transaction become visible together. */
const isNew = (row: EventRow, known: EventPosition | null): boolean =>
  row.xid !== known?.xid || compareEventPositions(row, known) > 0;
