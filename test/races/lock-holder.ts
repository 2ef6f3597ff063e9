import pg from 'pg';

/** A connection that holds locks, so that requests meet where a test wants them to. */
export interface LockHolder {
  /** Takes the row of a thread: whoever changes it waits. */
  holdThread(id: string): Promise<void>;
  /** Takes a table: whoever writes it waits, and whoever reads it, unless only writers shall wait. */
  holdTable(name: string, whom?: 'all' | 'writers'): Promise<void>;
  /** Lets them go on. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function lockHolder(databaseUrl: string): Promise<LockHolder> {
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  return {
    holdThread: async (id) => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM threads WHERE id = $1 FOR UPDATE', [id]);
    },
    holdTable: async (name, whom = 'all') => {
      const mode = whom === 'all' ? 'ACCESS EXCLUSIVE' : 'SHARE';
      await holder.query(`BEGIN; LOCK TABLE ${name} IN ${mode} MODE`);
    },
    release: async () => void (await holder.query('COMMIT')),
    close: () => holder.end(),
  };
}
