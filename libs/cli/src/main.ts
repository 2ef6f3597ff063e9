#!/usr/bin/env node
import { spillway } from './index.js';

// A reader such as head closes the pipe when it has enough. Each write then fails by itself, and the command decides.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await spillway(process.argv.slice(2), process.env);
