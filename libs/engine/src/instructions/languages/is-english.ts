import { WeighedCues } from '../cues/weighed-cues.js';
import { eachCueOfAnyLanguage, eachCueOfAnyWord } from './cues-of-any-language.js';
import { bias, weightsByCue } from './english-weights.js';

const weighed = new WeighedCues(weightsByCue, bias, eachCueOfAnyWord);

/** Words that are frequent in English and stand in sentences of no other language: most sentences have one. */
const plainlyEnglish =
  /\b(?:the|you|your|and|this|that|with|what|when|which|every|never|always|please|should|must|don't|doesn't|isn't|can't|it's|i'm|i'd|they|there|from)\b/i;

/** Names of programs, which people of all languages use, are left to English up to here. */
const minScore = -1;

/** Whether the rules of English grammar can say anything about a sentence. One of names and numbers alone is English. */
export const isEnglish = (sentence: string): boolean =>
  plainlyEnglish.test(sentence) ||
  weighed.scoreOf(weighed.evidenceOf((onCue, onWord) => eachCueOfAnyLanguage(sentence, onCue, onWord))) >
    minScore;
