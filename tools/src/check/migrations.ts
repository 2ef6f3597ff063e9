import { startPostgres } from '@spillway/embedded';
import { runCommand } from '../run-command.js';

/** Replays prisma/migrations in an empty database and compares the result with schema.prisma. */
export async function checkMigrations(): Promise<string[]> {
  const postgres = await startPostgres({ temporary: true, durable: false });
  try {
    const { ok, output } = await runCommand(
      [
        ...['prisma', 'migrate', 'diff', '--exit-code'],
        ...['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'],
      ],
      { DATABASE_URL: postgres.url, SHADOW_DATABASE_URL: postgres.url },
    );
    return ok ? [] : [output];
  } finally {
    await postgres.stop();
  }
}
