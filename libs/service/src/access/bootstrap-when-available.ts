import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '@spillway/engine';
import { asUnavailable } from '@spillway/store';
import { EnvError } from '../environment/env-error.js';
import type { Runtime } from '../runtime.js';
import { bootstrap } from './keys.js';

const againMs = 1_000;
/** Of a database in a server in which no migration has run, and of one in a server in which one has. */
const notMigrated =
  /role "spillway_app" does not exist|relation "?\w+"? does not exist|table `\S+` does not exist/;

/**
 * Makes the bootstrap key. While Postgres is away the process serves all the same, with 503, and the key is made once
 * Postgres is back: one that ended would be started again by its supervisor with a growing delay. Throws EnvError when
 * the database has no tables.
 */
export async function bootstrapWhenAvailable(rt: Runtime, key: string): Promise<void> {
  try {
    await bootstrap(rt, key);
  } catch (error) {
    if (!isOutage(error)) throw withAdvice(error);
    rt.log.warn({ err: error }, 'Postgres does not answer; the bootstrap key is made when it does');
    void bootstrapLater(rt, key);
  }
}

async function bootstrapLater(rt: Runtime, key: string): Promise<void> {
  while (!rt.draining.aborted) {
    await sleep(againMs, undefined, { ref: false });
    try {
      await bootstrap(rt, key);
      rt.log.info('Postgres answers; the bootstrap key is made');
      return;
    } catch (error) {
      if (isOutage(error)) continue;
      rt.log.error({ err: withAdvice(error) }, 'the bootstrap key could not be made');
      return;
    }
  }
}

function isOutage(error: unknown): boolean {
  const known = asUnavailable(error);
  return known instanceof SpillwayError && known.code === 'database_unavailable';
}

function withAdvice(error: unknown): unknown {
  return error instanceof Error && notMigrated.test(error.message)
    ? new EnvError(
        'The database of DATABASE_URL has no tables of Spillway: run libs/store/dist/migrations/migrate-main.js first.',
      )
    : error;
}
