import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repository } from './repository.js';

/** Returns a text as prettier has it in this file. */
export async function formatted(path: string, text: string): Promise<string> {
  const filepath = join(repository, path);
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}
