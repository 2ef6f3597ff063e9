import { withoutLeadIn } from './phrases/lead-in.js';
import { courtesies, hearsay, ownPlans, reports, theOne } from './phrases/not-a-rule.js';
import { standing } from './phrases/standing.js';

const any = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

/** What a sentence is by the rules of grammar when it is no instruction by them; null when they are silent. */
export type RuledOut = 'hearsay' | 'report' | 'courtesy' | 'one-thing' | 'own-plan';

/** Takes a sentence as `plain` gives it back. */
export function ruledOutAs(whole: string): RuledOut | null {
  const words = ownWordsOf(whole);
  const rest = words === null ? '' : withoutLeadIn(words);
  if (words === null || rest === '') return 'hearsay';
  if (any(reports, rest)) return 'report';
  if (any(courtesies, rest)) return 'courtesy';
  if (any(theOne, rest)) return 'one-thing';
  return !any(standing, words) && (any(ownPlans, rest) || any(ownPlans, words)) ? 'own-plan' : null;
}

/** Without what others say or what was; what the writer concludes from it is kept: "They said X, so do Y". */
export function ownWordsOf(words: string): string | null {
  if (!any(hearsay, words)) return words;
  const from = words.search(/, so (?!far\b)/);
  const rest = from < 0 ? '' : words.slice(from + 2);
  return rest === '' || any(hearsay, rest) ? null : rest;
}
