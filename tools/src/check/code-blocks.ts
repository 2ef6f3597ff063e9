import { checkCodeBlocks as check } from '@spillway/site';
import type { Say } from './check.js';
import { starts } from '../quick-starts/starts.js';

/** Every code block of the documents is run, type-checked or compared with what it names. */
export async function checkCodeBlocks(say: Say): Promise<string[]> {
  const { counts, complaints } = check(starts);
  say(
    Object.entries(counts)
      .map(([way, blocks]) => `${blocks} ${way}`)
      .join('; '),
  );
  return Promise.resolve(complaints);
}
