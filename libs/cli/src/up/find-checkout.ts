import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The folder of Spillway's source that a folder is in; null when it is in none. */
export async function findCheckout(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (await isCheckout(folder)) return folder;
    if (dirname(folder) === folder) return null;
  }
}

async function isCheckout(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return false;
  try {
    const { name, scripts = {} } = JSON.parse(text) as { name?: string; scripts?: Record<string, string> };
    return name === 'spillway' && typeof scripts.start === 'string';
  } catch {
    return false;
  }
}
