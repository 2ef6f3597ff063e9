import { migrate } from './migrate.js';
import { ensureRuntimeRole } from './runtime-role.js';

/**
 * Migrates as the owner of the tables (MIGRATION_DATABASE_URL) and creates the role of DATABASE_URL for API and
 * workers. Without MIGRATION_DATABASE_URL, the role of DATABASE_URL migrates and no other is created. MIGRATION_WAIT_MS
 * says how long migrations wait for other transactions and other runs, MIGRATION_EVENT_EPOCH that events begin an epoch.
 */
async function main(): Promise<void> {
  const runtimeUrl = urlOf('DATABASE_URL');
  const ownerUrl = urlOf('MIGRATION_DATABASE_URL');
  const url = ownerUrl ?? runtimeUrl;
  if (url === undefined) throw new Error('Neither DATABASE_URL nor MIGRATION_DATABASE_URL is set.');
  const newEpoch = isNew('MIGRATION_EVENT_EPOCH');
  for (const name of await migrate(url, { onWait: console.log, newEpoch, ...waitOf('MIGRATION_WAIT_MS') }))
    console.log(`applied ${name}`);
  if (ownerUrl !== undefined && runtimeUrl !== undefined) await ensureRuntimeRole(ownerUrl, runtimeUrl);
}

/** An empty variable is one that is not set: compose files pass those on. */
function urlOf(name: string): string | undefined {
  const url = process.env[name]?.trim() || undefined;
  if (url === undefined || (/^postgres(ql)?:/.test(url) && URL.canParse(url))) return url;
  throw new Error(`${name} must be a postgresql:// URL.`);
}

function waitOf(name: string): { waitMs?: number } {
  const given = process.env[name]?.trim() || undefined;
  if (given === undefined) return {};
  if (/^\d{1,9}$/.test(given)) return { waitMs: Number(given) };
  throw new Error(`${name} must be a whole number of milliseconds, from 0 to 999999999, and is "${given}".`);
}

function isNew(name: string): boolean {
  const given = process.env[name]?.trim() || undefined;
  if (given === undefined || given === 'new') return given !== undefined;
  throw new Error(`${name} must be "new" or not set, and is "${given}".`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
