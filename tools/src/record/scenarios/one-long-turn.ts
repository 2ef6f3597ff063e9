import { assistant, bash, read, type Scenario, type Story, user } from '../scenario.js';
import { systemPrompt } from './system-prompt.js';

/** One question and many steps: a turn that is far longer than any window, with no other user message in it. */
function* search(): Story {
  yield user(
    'Which of our test files start a whole stack, and what does each of them set in its environment? Go through all of them; do not stop to ask.',
  );
  const [listed] = yield assistant(
    'I list the files that call startStack, and what the function takes.',
    bash(
      'grep -rl "startStack(" test --include=*.test.ts | xargs grep -LE "10[.]0|192[.]168|172[.]|/home/|/root" | sort',
    ),
    read('libs/testing/src/stack/stack.ts'),
  );
  const files = listed!.split('\n').filter((line) => line.endsWith('.ts'));
  const found: string[] = [];
  for (const file of files) {
    const [text, sizes] = yield assistant(
      `${file}:`,
      read(file),
      bash(`wc -lc ${file}; grep -n "startStack(" ${file}`),
    );
    const env = [...new Set([...text!.matchAll(/\b(SPILLWAY_[A-Z_]+)\b/g)].map(([, name]) => name))];
    found.push(`${file} (${/(\d+) +\d+ /.exec(sizes!)?.[1] ?? '?'} lines): ${env.join(', ') || 'nothing'}`);
  }
  yield assistant(
    `${files.length} files start a stack. What each sets:\n${found.map((line) => `- ${line}`).join('\n')}`,
  );
}

export const oneLongTurn: Scenario = {
  name: 'one-long-turn',
  format: 'openai',
  system: systemPrompt,
  faults: [],
  steps: search,
};
