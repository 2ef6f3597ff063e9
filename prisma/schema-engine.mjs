#!/usr/bin/env node
// Prisma's CLI drives a native "schema engine" that it downloads. Where nothing can be downloaded this script takes
// its place (prisma.config.ts points at it): the same JSON-RPC over stdio, answered by the WebAssembly build of the
// engine that npm carries, over node-postgres. Development only; production applies migrations with libs/store.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

const require = createRequire(import.meta.url);
const adapterRequire = createRequire(require.resolve('@prisma/adapter-pg'));
const { bindMigrationAwareSqlAdapterFactory } = await import(
  pathToFileURL(adapterRequire.resolve('@prisma/driver-adapter-utils')).href
);

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const { url = 'postgresql://nobody@127.0.0.1:1/none', shadowDatabaseUrl } = JSON.parse(
  option('--datasource') ?? '{}',
);

/** node-postgres settings of a database URL; `database` replaces the one it names. */
function connection(databaseUrl, database) {
  const u = new URL(databaseUrl);
  return {
    host: u.hostname,
    port: Number(u.port || 5432),
    user: decodeURIComponent(u.username),
    password: decodeURIComponent(u.password),
    database: database ?? decodeURIComponent(u.pathname.slice(1)),
  };
}

async function run(settings, text) {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
const pgChar = 18; // The catalogs' one-byte "char", which the adapter does not know; to it, it is text …
const pgText = 25;
const characterColumn = 6; // … and to the engine a Character column.

/** Lets the engine read catalog columns of type "char". */
function readingChars(queryable) {
  const { queryRaw, startTransaction } = queryable;
  queryable.queryRaw = async (query) => {
    const chars = [];
    const once = Object.create(queryable, {
      performIO: {
        value: async (statement) => {
          const result = await queryable.performIO(statement);
          result.fields.forEach((field, i) => {
            if (field.dataTypeID !== pgChar) return;
            field.dataTypeID = pgText;
            chars.push(i);
          });
          return result;
        },
      },
    });
    const rows = await queryRaw.call(once, query);
    for (const i of chars) rows.columnTypes[i] = characterColumn;
    return rows;
  };
  if (startTransaction) {
    queryable.startTransaction = async (...a) => readingChars(await startTransaction.apply(queryable, a));
  }
  return queryable;
}

async function open(databaseUrl, database, afterwards) {
  const schema = new URL(databaseUrl).searchParams.get('schema') ?? undefined;
  const adapter = readingChars(await new PrismaPg(connection(databaseUrl, database), { schema }).connect());
  // The adapter cuts scripts at every semicolon, those in the bodies of functions too.
  adapter.executeScript = async (script) => void (await adapter.client.query(script));
  const dispose = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    await dispose();
    await afterwards?.();
  };
  return adapter;
}

/** A scratch database to replay migrations in. The adapter's own would be the main database itself. */
async function openShadow() {
  if (shadowDatabaseUrl) {
    await run(connection(shadowDatabaseUrl), 'DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public');
    return open(shadowDatabaseUrl);
  }
  const name = `shadow_${randomUUID()}`;
  await run(connection(url), `CREATE DATABASE ${quoted(name)}`);
  return open(url, name, () => run(connection(url), `DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`));
}

/** `cli` subcommands: exit status 0, or a JSON report on the second line of stderr. */
async function answerCommand(command) {
  const database = quoted(connection(url).database);
  const commands = {
    'can-connect-to-database': () => run(connection(url), 'SELECT 1'),
    'create-database': () => run(connection(url, 'postgres'), `CREATE DATABASE ${database}`),
    'drop-database': () =>
      run(connection(url, 'postgres'), `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`),
  };
  try {
    await commands[command]();
  } catch (error) {
    const code = { '3D000': 'P1003', '28P01': 'P1000', 28000: 'P1010' }[error.code] ?? 'P1001';
    const fields = { message: error.message, error_code: code, is_panic: false };
    process.stderr.write(
      `\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', timestamp: new Date().toISOString(), fields })}`,
    );
    process.exitCode = 1;
  }
}

async function startEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };
  const wasm = await readFile(
    require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm'),
  );
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  const { provider, adapterName } = new PrismaPg(connection(url));
  const factory = { provider, adapterName, connect: () => open(url), connectToShadowDb: openShadow };
  return glue.SchemaEngine.new(
    { datamodels: undefined },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}

async function answerRequests() {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let engine;
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = line.trim() === '' ? {} : JSON.parse(line);
    if (!method) continue; // The CLI acknowledging our `print`.
    try {
      engine ??= await startEngine();
      const result = (await engine[method === 'getDatabaseVersion' ? 'version' : method](params)) ?? null;
      if (method === 'diff' && result?.stdout) {
        send({ id: id + 1_000_000, method: 'print', params: { content: result.stdout } });
      }
      send({ id, result });
    } catch (error) {
      const data = {
        is_panic: false,
        message: String(error?.message ?? error),
        error_code: error?.code,
        meta: error?.meta,
      };
      send({ id, error: { code: 4466, message: 'The schema engine failed; see data.', data } });
    }
  }
}

if (args.includes('--version')) console.log('schema-engine-cli wasm');
else if (args.includes('cli')) await answerCommand(args[args.indexOf('cli') + 1]);
else await answerRequests();
process.exit();
