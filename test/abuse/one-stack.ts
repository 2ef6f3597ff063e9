import { startStack } from '@spillway/testing';
import type { TestProject } from 'vitest/node';

/** Two projects for each file: ours and a stranger's. Files run at the same time and must not meet. */
export const groups = [
  'appends',
  'bodies',
  'bounds',
  'fuzz',
  'grep',
  'http',
  'media',
  'numbers',
  'outputs',
  'routes',
  'tool-results',
  'unicode',
] as const;

export interface BorrowedStack {
  url: string;
  pid: number;
  databaseUrl: string;
  outputsFolder: string;
  keys: Record<string, { ours: string; theirs: string }>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: BorrowedStack;
  }
}

/** One API for all hostile requests: whoever comes after still has to be served. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startStack({ workers: 0, redis: false, memory: 'production' });
  const keys: BorrowedStack['keys'] = {};
  for (const group of groups) {
    keys[group] = {
      ours: await stack.addProject(`${group}-ours`),
      theirs: await stack.addProject(`${group}-theirs`),
    };
  }
  const { url, databaseUrl, outputsFolder } = stack;
  project.provide('stack', { url, pid: stack.api.pid, databaseUrl, outputsFolder, keys });
  return () => stack.stop();
}
