import { readFileSync } from 'node:fs';
import { EnvError } from './env-error.js';
import { weaknessOf, wordsOf } from './value-schemas.js';

/**
 * The keys of SPILLWAY_SECRET_KEY, or else of the file that SPILLWAY_SECRET_KEY_FILE names, with commas between. Throws
 * EnvError for a file without a key: the process would start, and read no stored secret.
 */
export function secretKeysOf(text: string | undefined, file: string | undefined): string[] {
  if (text !== undefined) return strongKeysOf(text, 'SPILLWAY_SECRET_KEY');
  if (file === undefined) return [];
  const named = `SPILLWAY_SECRET_KEY_FILE ${file}`;
  const keys = strongKeysOf(contentOf(file), named);
  if (keys.length === 0) throw new EnvError(`${named} has no key.`);
  return keys;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new EnvError(`SPILLWAY_SECRET_KEY_FILE ${file} can't be read: ${(error as Error).message}`);
  }
}

function strongKeysOf(text: string, named: string): string[] {
  const keys = wordsOf(text);
  for (const key of keys) {
    const weakness = weaknessOf(key);
    if (weakness) throw new EnvError(`${named} ${weakness}.`);
  }
  return keys;
}
