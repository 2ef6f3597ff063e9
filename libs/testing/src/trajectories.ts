import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonMessage } from './api.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Trajectory {
  name: string;
  messages: JsonMessage[];
}

/**
 * Real agent threads to test on, from SPILLWAY_TRAJECTORIES (default ../shared/data/trajectories beside the
 * checkout). Missing, they are an error in CI; elsewhere the repository's own samples take their place.
 */
export function loadTrajectories(): Trajectory[] {
  const folder = resolve(root, process.env.SPILLWAY_TRAJECTORIES ?? '../shared/data/trajectories');
  if (existsSync(folder)) return loadFolder(folder);
  if (process.env.CI === 'true') throw new Error(`SPILLWAY_TRAJECTORIES: there is no folder ${folder}.`);
  return loadFolder(join(root, 'samples'));
}

export const loadFolder = (folder: string): Trajectory[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({ name: basename(file, '.jsonl'), messages: loadThread(join(folder, file)) }));

export const loadThread = (path: string): JsonMessage[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonMessage);
