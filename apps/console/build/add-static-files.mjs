// `output: standalone` leaves the browser's files out, expecting a CDN. Here the server serves them itself.
import { cpSync } from 'node:fs';

const from = new URL('../.next/static', import.meta.url);
const to = new URL('../.next/standalone/apps/console/.next/static', import.meta.url);
cpSync(from, to, { recursive: true });
