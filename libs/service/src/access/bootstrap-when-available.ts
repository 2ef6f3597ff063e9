import { EnvError } from '../environment/env-error.js';
import { whenAvailable } from '../operations/when-available.js';
import type { Runtime } from '../runtime.js';
import { bootstrap } from './keys.js';

/** Of a database in a server in which no migration has run, and of one in a server in which one has. */
const notMigrated =
  /role "spillway_app" does not exist|relation "?\w+"? does not exist|table `\S+` does not exist/;

/**
 * Makes the bootstrap key, now or when Postgres is there. Throws EnvError when the database has no tables.
 */
export const bootstrapWhenAvailable = (rt: Runtime, key: string): Promise<void> =>
  whenAvailable(rt, 'the bootstrap key', () =>
    bootstrap(rt, key).catch((error: unknown) => {
      throw withAdvice(error);
    }),
  );

function withAdvice(error: unknown): unknown {
  return error instanceof Error && notMigrated.test(error.message)
    ? new EnvError(
        'The database of DATABASE_URL has no tables of Spillway: run libs/store/dist/migrations/migrate-main.js first.',
      )
    : error;
}
