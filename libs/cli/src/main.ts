#!/usr/bin/env node
import { spillway } from './index.js';

// A reader such as head closes the pipe when it has enough: there is nothing left to do then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
// Notes that nobody reads do not end what the command does.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await spillway(process.argv.slice(2), process.env);
