import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { trajectoriesFolder } from '@spillway/testing';

/** What a continuing agent could need to know of a thread, with the strings that an answer needs. */
export interface Quiz {
  /** The name of a sample. */
  thread: string;
  questions: { q: string; needs: string[] }[];
}

const own: readonly Quiz[] = [
  {
    thread: 'half-a-rename',
    questions: [
      { q: 'Which commit is the work in progress?', needs: ['a0c4812'] },
      { q: 'Who started the branch?', needs: ['Jonas'] },
      { q: 'What was Budget.summaryTokens to be called?', needs: ['summaryLimit'] },
      { q: 'How large may a rename be?', needs: ['ten files'] },
      { q: 'Which folder is frozen?', needs: ['prisma/migrations'] },
      {
        q: 'Which model and column had a type that Prisma does not know?',
        needs: ['ModelOverride.contextWindow'],
      },
      { q: 'Where is the rename taken back?', needs: ['libs/engine/src/budget.ts'] },
      { q: 'What did the user decide?', needs: ['Take it back'] },
      { q: 'May the branch be deleted?', needs: ['Delete nothing yet'] },
      { q: 'How many tests of the engine pass?', needs: ['67 engine tests'] },
    ],
  },
  {
    thread: 'late-trigger',
    questions: [
      { q: 'Which ticket is it?', needs: ['SPW-142'] },
      { q: 'Which thread was degraded?', needs: ['ops-7f3a'] },
      { q: 'How many of its contexts?', needs: ['11 degraded'] },
      { q: 'Which commit brought the fault?', needs: ['7a13a5e'] },
      { q: 'Which trigger is right for a window of 16,000?', needs: ['10,713'] },
      { q: 'In which file was the cause?', needs: ['libs/engine/src/budget.ts'] },
      { q: 'After what is the test to be named?', needs: ['Name the test after the promise'] },
      { q: 'What is the test not to use?', needs: ['fast-check'] },
      { q: 'What is the message of the commit?', needs: ['Fix the trigger cap (SPW-142)'] },
      { q: 'Who takes it into the release branch, and when?', needs: ['Mira', 'Thursday'] },
      { q: 'Which commit is the fix?', needs: ['dff2ffa'] },
      { q: 'Which function compares the reserve with the trigger?', needs: ['policyProblems'] },
    ],
  },
];

/** A quiz that the repository doesn't hold: SPILLWAY_QUIZ, or beside the threads from elsewhere. */
export function quizzes(): Quiz[] {
  const path = resolve(process.env.SPILLWAY_QUIZ ?? resolve(trajectoriesFolder(), '../quiz.json'));
  if (!existsSync(path)) return [...own];
  const more = JSON.parse(readFileSync(path, 'utf8')) as Quiz;
  const thread = more.thread.replace(/^.*\//, '').replace('.jsonl', '');
  return [...own, { thread, questions: more.questions }];
}
