import type { ThreadTable } from './rows.js';

export interface ProjectRecord {
  id: string;
  settingsVersion: number;
  policy: string;
  /** Whether the operator lets no worker compact its threads. */
  isPaused?: boolean;
}

/** All rows of a database in memory, with a clock that moves only when the simulation moves it. */
export class Tables {
  readonly projects = new Map<string, ProjectRecord>();
  private readonly byId = new Map<string, ThreadTable>();
  private readonly byUid = new Map<string, ThreadTable>();
  /** Threads that a statement wrote to since the last check. */
  readonly touched = new Set<ThreadTable>();

  /** `now` gives ms. */
  constructor(readonly now: () => number) {}

  threads(): IterableIterator<ThreadTable> {
    return this.byUid.values();
  }

  isPaused(projectId: string): boolean {
    return this.projects.get(projectId)?.isPaused === true;
  }

  /** By the client's id, erased ones included. */
  find(projectId: unknown, id: unknown): ThreadTable | undefined {
    return this.byId.get(`${String(projectId)}/${String(id)}`);
  }

  findUid(projectId: unknown, uid: unknown): ThreadTable | undefined {
    const found = this.byUid.get(String(uid));
    return found?.row.projectId === projectId ? found : undefined;
  }

  add(thread: ThreadTable): void {
    this.byId.set(`${thread.row.projectId}/${thread.row.id}`, thread);
    this.byUid.set(thread.row.uid, thread);
  }

  remove(thread: ThreadTable): void {
    this.byId.delete(`${thread.row.projectId}/${thread.row.id}`);
    this.byUid.delete(thread.row.uid);
  }
}
