import { startTestPostgres } from '@spillway/testing';

/** One real Postgres for the run; every stack makes its own database in it. */
export default async function setup(): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  process.env.SPILLWAY_TEST_POSTGRES = postgres.url;
  return () => postgres.stop();
}
