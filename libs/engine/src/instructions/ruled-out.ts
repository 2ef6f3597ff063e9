import { withoutLeadIn } from './phrases/lead-in.js';
import { courtesies, hearsay, ownPlans, reports, theOne } from './phrases/not-a-rule.js';
import { standing } from './phrases/standing.js';
import { plain } from './plain.js';

/** What a sentence may be when it is no instruction by the rules of grammar. */
export const ruledOutKinds = ['hearsay', 'report', 'courtesy', 'one-thing', 'own-plan'] as const;

export type RuledOut = (typeof ruledOutKinds)[number];

/** The words of a sentence that its parts are judged by. */
export interface Words {
  /** As `plain` returns them. */
  whole: string;
  /** Without what others say; null where nothing is left. */
  own: string | null;
}

export function wordsOf(sentence: string): Words {
  const whole = plain(sentence);
  return { whole, own: ownWordsOf(whole) };
}

/** Why the sentence is no instruction by the rules of grammar; null when they rule nothing out. */
export function ruledOutAs({ own }: Words): RuledOut | null {
  const rest = own === null ? '' : withoutLeadIn(own);
  if (own === null || rest === '') return 'hearsay';
  if (reports.test(rest)) return 'report';
  if (courtesies.test(rest)) return 'courtesy';
  if (theOne.test(rest)) return 'one-thing';
  return !standing.test(own) && (ownPlans.test(rest) || ownPlans.test(own)) ? 'own-plan' : null;
}

/** Without what others say or what was; what the writer concludes from it is kept: "They said X, so do Y". */
export function ownWordsOf(words: string): string | null {
  if (!hearsay.test(words)) return words;
  const from = words.search(/, so (?!far\b)/);
  const rest = from < 0 ? '' : words.slice(from + 2);
  return rest === '' || hearsay.test(rest) ? null : rest;
}
