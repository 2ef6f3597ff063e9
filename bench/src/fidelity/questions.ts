import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { trajectoriesFolder } from '@spillway/testing';
import { heldBack } from './held-back-questions.js';
import { ownQuizzes } from './own-questions.js';
import type { Quiz } from './quiz.js';

/** A quiz that the repository doesn't hold: SPILLWAY_QUIZ, or beside the threads from elsewhere. */
export function quizzes(): Quiz[] {
  const path = resolve(process.env.SPILLWAY_QUIZ ?? resolve(trajectoriesFolder(), '../quiz.json'));
  if (!existsSync(path)) return [...ownQuizzes, ...heldBack];
  const more = JSON.parse(readFileSync(path, 'utf8')) as Quiz;
  const thread = more.thread.replace(/^.*\//, '').replace('.jsonl', '');
  return [...ownQuizzes, ...heldBack, { thread, questions: more.questions }];
}
