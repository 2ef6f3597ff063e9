import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonMessage } from './http/api.js';
import type { WireFormat } from './stub-provider/provider-rules.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const samples = join(root, 'samples');

export interface Trajectory {
  name: string;
  messages: JsonMessage[];
}

/** The repository's recorded threads in one format, in the order of their names. */
export const loadSamples = (format: WireFormat = 'openai'): Trajectory[] =>
  [...(format === 'openai' ? loadFolder(samples) : []), ...loadFolder(join(samples, format))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );

/** The longest of the repository's threads in OpenAI's format: more than a thousand messages. */
export const longestSample = (): Trajectory =>
  loadSamples().reduce((longest, thread) =>
    thread.messages.length > longest.messages.length ? thread : longest,
  );

/** Where more threads are looked for: SPILLWAY_TRAJECTORIES, or a folder beside the checkout. */
export const trajectoriesFolder = (): string =>
  resolve(root, process.env.SPILLWAY_TRAJECTORIES ?? '../shared/data/trajectories');

export const hasTrajectories = (): boolean => existsSync(trajectoriesFolder());

/** Agent threads from elsewhere, in OpenAI's format, that the repository does not hold. Throws when there are none. */
export function loadTrajectories(): Trajectory[] {
  const folder = trajectoriesFolder();
  const threads = hasTrajectories() ? loadFolder(folder) : [];
  if (threads.length === 0)
    throw new Error(`${folder} has no threads (*.jsonl): set SPILLWAY_TRAJECTORIES to a folder that does.`);
  return threads;
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
