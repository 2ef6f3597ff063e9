import { checkCodeBlocks as check } from '@spillway/site';
import type { Say } from '../check/check.js';
import { starts } from '../quick-starts/starts.js';

/** A quick start that `npm run quick-starts` does not try: test/agents/adapters/claude-agent.test.ts runs its lines. */
const runByTest = {
  page: 'libs/adapters/claude-agent/README.md',
  heading: 'Quick start',
  language: 'js' as const,
  by: 'a test of its adapter',
};

/** Every code block of the documents is run, type-checked or compared with what it names. */
export async function checkCodeBlocks(say: Say): Promise<string[]> {
  const { counts, complaints } = check([...starts, runByTest]);
  say(
    Object.entries(counts)
      .map(([way, blocks]) => `${blocks} ${way}`)
      .join('; '),
  );
  return Promise.resolve(complaints);
}
