// `output: standalone` leaves out what it can't see being imported: the browser's files, which it expects on a CDN, and
// the sample threads. Here the server serves both itself.
import { cpSync } from 'node:fs';

const server = new URL('../.next/standalone/apps/console/', import.meta.url);
const add = (from, to) => cpSync(new URL(from, import.meta.url), new URL(to, server), { recursive: true });
add('../.next/static', '.next/static');
add('../../../samples', 'samples');
