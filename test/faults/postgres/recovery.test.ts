import { migrate } from '@spillway/store';
import {
  freshDatabase,
  rowsOf,
  startOwnPostgres,
  startRecoveredPostgres,
  type OwnPostgres,
} from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let primary: OwnPostgres;
let recovered: OwnPostgres;
let databaseUrl: string;
let recoveredUrl: string;
beforeAll(async () => {
  primary = await startOwnPostgres({ durable: true });
  databaseUrl = await freshDatabase(primary.url);
  await primary.down('fast');
  recovered = await startRecoveredPostgres(primary);
  recoveredUrl = Object.assign(new URL(databaseUrl), { host: new URL(recovered.url).host }).href;
  await primary.start();
});
afterAll(async () => {
  await recovered?.stop();
  await primary?.stop();
});

/** The number of an event that is written now: readers resume behind the last one that they have. */
async function numberOfEvent(url: string): Promise<number> {
  const [row] = await rowsOf<{ number: string }>(
    url,
    'SELECT spillway_event_base() + pg_current_xact_id()::text::bigint AS number',
  );
  return Number(row!.number);
}

const epochs = async (url: string) =>
  (await rowsOf<{ epoch: number }>(url, 'SELECT epoch FROM event_epochs ORDER BY epoch')).map(
    ({ epoch }) => epoch,
  );

test('F80 a database recovered to an earlier moment: new events come after all that readers have', async () => {
  let last = 0;
  for (let i = 0; i < 50; i++) last = await numberOfEvent(databaseUrl);
  expect(await numberOfEvent(recoveredUrl)).toBeLessThan(last);
  await migrate(recoveredUrl);
  expect(await numberOfEvent(recoveredUrl)).toBeGreaterThan(last);
  const begun = await epochs(recoveredUrl);
  expect(begun).toHaveLength(2);
  await migrate(recoveredUrl);
  expect(await epochs(recoveredUrl)).toEqual(begun);
});

test('a migration begins no epoch of a database that goes on, unless it is told to', async () => {
  const [first] = await epochs(databaseUrl);
  await migrate(databaseUrl);
  expect(await epochs(databaseUrl)).toEqual([first]);
  await migrate(databaseUrl, { newEpoch: true });
  expect(await epochs(databaseUrl)).toEqual([first, first! + 1]);
});
