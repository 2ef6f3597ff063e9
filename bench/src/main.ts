import '@spillway/node-version/require';
import { startStack, startTestPostgres } from '@spillway/testing';
import type { Bench, BenchResult } from './bench.js';
import { contextRead } from './context-read.js';
import { ingestSingle } from './ingest-single.js';
import { memory } from './memory.js';
import { overhead } from './overhead.js';
import { preview } from './previews/preview.js';
import { probes } from './probes.js';
import { savings } from './savings/savings.js';
import { machine, save, table, writeTables } from './report.js';

const benches: Record<string, Bench> = {
  'ingest-single': ingestSingle,
  'context-read': contextRead,
  overhead,
  memory,
  preview,
  probes,
  savings,
};

/** `npm run bench [name ...] [--write]`: measures, prints tables, and fails when a measurement is not sound. */
async function main(): Promise<number> {
  const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const unknown = named.filter((name) => !(name in benches));
  if (unknown.length > 0) {
    console.error(`No bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
    return 1;
  }
  const write = process.argv.includes('--write');
  if (write && named.length > 0) {
    console.error('--write takes all benches: the tables of a page come from one run.');
    return 1;
  }
  const postgres = await startTestPostgres();
  process.env.SPILLWAY_TEST_POSTGRES = postgres.url;
  const results: BenchResult[] = [];
  try {
    console.log(machine());
    for (const name of named.length > 0 ? named : Object.keys(benches)) {
      const stack = await startStack({ env: { LOG_LEVEL: 'error', SPILLWAY_POOL: '16' } });
      try {
        const result = await benches[name]!(stack);
        results.push(result);
        await save(result);
        if (result.rows.length > 0) console.log(`\n${table(result)}`);
      } finally {
        await stack.stop();
      }
    }
  } finally {
    await postgres.stop();
  }
  if (write) await writeTables(results);
  const complaints = results.flatMap(({ name, complaints }) => complaints.map((what) => `${name}: ${what}`));
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0 ? 0 : 1;
}

process.exitCode = await main();
