#!/usr/bin/env node
import { spillway } from './index.js';

process.exitCode = await spillway(process.argv.slice(2), process.env);
