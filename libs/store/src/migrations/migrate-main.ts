import { migrate } from './migrate.js';
import { ensureRuntimeRole } from './runtime-role.js';

/**
 * Migrates as the owner of the tables (MIGRATION_DATABASE_URL) and creates the role of DATABASE_URL for API and
 * workers. Without MIGRATION_DATABASE_URL, the role of DATABASE_URL migrates and no other is created.
 */
async function main(): Promise<void> {
  const { DATABASE_URL: runtimeUrl, MIGRATION_DATABASE_URL: ownerUrl } = process.env;
  const url = ownerUrl ?? runtimeUrl;
  if (!url) throw new Error('DATABASE_URL is not set.');
  for (const name of await migrate(url)) console.log(`applied ${name}`);
  if (ownerUrl && runtimeUrl) await ensureRuntimeRole(ownerUrl, runtimeUrl);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
