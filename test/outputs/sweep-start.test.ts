import { policyInput } from '@spillway/contracts';
import { openRuntime, readEnv, sweepOutputs } from '@spillway/service';
import { apiOf, rowsOf, startStack, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathToFileURL } from 'node:url';
import { bigResult } from '../faults/fault-rig.js';
import { untilLocked } from '../until-locked.js';

let stack: Stack;
let rt: ReturnType<typeof openRuntime>;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  const env = {
    DATABASE_URL: stack.databaseUrl,
    SPILLWAY_OUTPUTS: pathToFileURL(stack.outputsFolder).href,
    LOG_LEVEL: 'silent',
  };
  rt = openRuntime(readEnv(env, policyInput), 'sweeper');
});
afterAll(async () => {
  await rt?.close();
  await stack?.stop();
});

test('a sweep is recorded with the time when it began, and shown with it', async () => {
  const api = apiOf(stack);
  await api.append('swept', ...bigResult('c'));
  await rowsOf(stack.databaseUrl, `UPDATE outputs SET expires_at = now() - interval '1 s'`);
  const writer = new pg.Client({ connectionString: stack.databaseUrl });
  await writer.connect();
  // Outputs can be read and not written: the sweep has begun and waits.
  await writer.query('BEGIN; LOCK TABLE outputs IN SHARE MODE');
  const sweep = sweepOutputs(rt);
  await untilLocked(stack.databaseUrl, 1);
  const { rows } = await writer.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await writer.query('COMMIT');
  await writer.end();
  await sweep;
  const { body } = await api.call<{ sweeps: { started_at: string; expired: number }[] }>('GET', '/v1/queue');
  expect(body.sweeps).toMatchObject([{ expired: 1 }]);
  expect(Date.parse(body.sweeps[0]!.started_at)).toBeLessThanOrEqual(rows[0]!.now.getTime());
});
