import { startTestPostgres } from '@spillway/testing';

/** One real Postgres for the run; every stack makes its own database in it. Each group of tests asks for it. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SPILLWAY_TEST_POSTGRES) return undefined;
  const postgres = await startTestPostgres();
  process.env.SPILLWAY_TEST_POSTGRES = postgres.url;
  return async () => {
    delete process.env.SPILLWAY_TEST_POSTGRES;
    await postgres.stop();
  };
}
