import { learnEnglish, learnOtherLanguages } from './languages.js';
import { learnPairs } from './pairs.js';
import type { Learnt } from './samples.js';
import { learnSentences } from './sentences.js';

/** All weights that are learnt. Takes some seconds. */
export const learnAll = (): Learnt[] => [
  learnSentences(),
  learnOtherLanguages(),
  learnEnglish(),
  learnPairs(),
];
