import type { Query } from '../connection/store.js';

/** The last migration of prisma/migrations: what the statements of this version need. */
export const newestMigration = '20270203000000_key_budgets';

export interface SchemaState {
  /**
   * False on a standby, which takes no message until it is promoted, and where transactions only read by default, as an
   * administrator sets it or a provider whose disk is nearly full.
   */
  takesWrites: boolean;
  /** Whether the tables are at least as new as this version. Newer ones serve it too. */
  isMigrated: boolean;
}

const text = `SELECT current_setting('transaction_read_only') = 'off' AS "takesWrites", EXISTS (
  SELECT FROM _prisma_migrations
  WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS "isMigrated"`;

/** What an old database says: insufficient_privilege, before a migration let us read the ledger, and undefined_table. */
const ofOldSchemas = ['42501', '42P01'];

/** Rejects when Postgres does not answer. */
export async function readSchemaState(query: Query): Promise<SchemaState> {
  try {
    const [state] = await query<SchemaState>({ name: 'schema-state', text }, [newestMigration]);
    return state!;
  } catch (error) {
    if (!ofOldSchemas.includes((error as { code?: string }).code ?? '')) throw error;
    return { takesWrites: true, isMigrated: false };
  }
}
