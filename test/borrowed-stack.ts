import { addProject, type Stack } from '@spillway/testing';
import { inject } from 'vitest';
import type { LentStack } from './stack-lender.js';

/** What a file sees of a stack that others use as well: it stops and restarts nothing. */
export interface BorrowedStack extends Pick<Stack, 'url' | 'databaseUrl' | 'outputsFolder' | 'addProject'> {
  /** Of a project that only this file uses. */
  key: string;
}

let projects = 0;

/**
 * A stack of the test run, started for the first file that asks, with a project of its own for each caller. For files
 * that look at their own project alone; those that count rows of all, list stored files or stop a process start a stack
 * of their own (`startStack`).
 */
export async function borrowedStack(kind: LentStack): Promise<BorrowedStack> {
  const stack = await borrow<Pick<Stack, 'url' | 'databaseUrl' | 'outputsFolder'>>(kind);
  const add = (name: string) => addProject(stack.databaseUrl, name);
  return { ...stack, key: await add(`file-${process.pid}-${Date.now()}-${++projects}`), addProject: add };
}

/** The console of the stack `whole`. */
export const borrowedConsole = (): Promise<{ url: string }> => borrow('console');

async function borrow<T>(name: string): Promise<T> {
  const lent = await fetch(`${inject('stackLender')}/${name}`);
  if (!lent.ok) throw new Error(`No stack was lent: ${await lent.text()}`);
  return (await lent.json()) as T;
}
