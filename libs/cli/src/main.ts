#!/usr/bin/env node
import { spillway } from './index.js';

// A reader such as head closes the pipe when it has enough, or the disk is full. Each write then fails by itself, and the
// command decides; what standard error does not take is lost.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

process.exitCode = await spillway(process.argv.slice(2), process.env);
