import '@spillway/node-version/require';
import { createInterface } from 'node:readline';
import { openShop } from './store.js';
import { answer } from './tools.js';

/**
 * The order desk: a tool server with one call per line on stdin and one answer per line on stdout. Its argument is a
 * seed.
 */
const store = openShop(Number(process.argv[2] ?? 1));
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, args } = JSON.parse(line) as { tool: string; args: Record<string, string | number> };
  process.stdout.write(`${JSON.stringify(answer(store, tool, args))}\n`);
}
