// `output: standalone` leaves out what no module imports: the browser's files, which it expects on a CDN, and the
// sample threads. The server serves both itself. It also checks its Node.js first, as every program of ours does, and
// knows the addresses of its clients.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';

const server = new URL('../.next/standalone/apps/console/', import.meta.url);
const add = (from, to) => cpSync(new URL(from, import.meta.url), new URL(to, server), { recursive: true });
add('../.next/static', '.next/static');
add('../../../samples', 'samples');
add('../../../libs/node-version/dist', 'node-version');
add('../server', 'server');

const program = new URL('server.js', server);
const first = `import './node-version/require.js';\nimport './server/append-peer-address.mjs';\n`;
const text = readFileSync(program, 'utf8');
if (!text.startsWith(first)) writeFileSync(program, first + text);
