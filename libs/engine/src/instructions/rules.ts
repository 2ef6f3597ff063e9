import type { InstructionKind } from './instruction.js';
import { conduct, factsAndFollow, treatsAKind } from './phrases/conduct.js';
import { conventions, scopeFirst } from './phrases/conventions.js';
import { forbids } from './phrases/forbids.js';
import { aboutForm, setsForm } from './phrases/forms.js';
import { kindOfFragment } from './phrases/fragments.js';
import { withoutLeadIn } from './phrases/lead-in.js';
import { limits } from './phrases/limits.js';
import { courtesies, reports, theOne } from './phrases/not-a-rule.js';
import { isGeneralOrder, isOrder, obliges, orders, withoutItsObject } from './phrases/orders.js';
import { permits } from './phrases/permits.js';
import { prefers, wanted } from './phrases/preferences.js';
import { asksFirst, isOnCondition } from './phrases/procedures.js';
import { fromNowOn, standing } from './phrases/standing.js';
import { ownWordsOf, wordsOf, type Words } from './ruled-out.js';
import { oneOf } from './phrases/one-of.js';
import { isQuestion, plain } from './plain.js';

/**
 * Looks at each clause: who is addressed, what is asked, and whether it holds for more than this once. Null for a
 * question, a report, a wish, a courtesy, or a task that is done when it is done.
 */
export function kindByRules(
  sentence: string,
  isRule = false,
  { whole, own }: Words = wordsOf(sentence),
): InstructionKind | null {
  // What announces a list is said by its items.
  if (whole === '' || whole.endsWith(':')) return null;
  const words = wordsToJudge(whole, own);
  if (words === null) return null;
  const isStanding = standing.test(words);
  for (const clause of clausesOf(words, isStanding)) {
    const kind = kindOfClause(clause, isStanding);
    if (kind) return kind;
  }
  const scope = scopeFirst.exec(words)?.[0];
  if (scope !== undefined && isRuleAfterScope(withoutLeadIn(words.slice(scope.length))))
    return kindOfRule(words);
  const rest = withoutLeadIn(words);
  if (rest === '' || reports.test(rest) || courtesies.test(rest)) return null;
  return isRule ||
    (fromNowOn.test(words) &&
      !/^(?:i(?!(?:'d| would)? (?:like|want|need|expect|prefer|appreciate)\b)|it|there|he|she|they|from here on the)\b/.test(
        rest,
      ))
    ? kindOfRule(words)
    : null;
}

/** What a question asks for, or the statement itself, in the writer's own words. */
function wordsToJudge(whole: string, own: string | null): string | null {
  if (!isQuestion(whole)) return own;
  const asked = askedIn(whole);
  return asked === null ? null : ownWordsOf(asked);
}

/** An order, or a fragment: what a scope in front of it makes a rule. */
const isRuleAfterScope = (rest: string): boolean =>
  isOrder(rest) ||
  wanted.test(rest) ||
  /^(?:no|nothing|nobody)\b|^i (?:want|need|expect|would like|'d like)\b|^i'd like\b/.test(rest) ||
  kindOfFragment(rest) !== null;

const asked =
  /\b(?:(?:can|could|would|will) (?:you|we)(?: please| kindly| just| possibly| perhaps| also| mind)*|(?:can|could|may) i ask (?:you|that you)(?: to)?|is it (?:ok|possible) (?:for you )?to|do you mind|how about you|why don't (?:you|we)(?: just| simply| please)*) (?=\w)/;
const askedRule =
  /^(?:please )?(?:not|never|always|avoid|stop|refrain|only|keep (?:your|all|answers|replies|it (?:short|brief)|things))\b/;

/** A way to write or speak, which holds for all that is written. */
const plainWays = oneOf([
  /^(?:please )?(?:write|answer|reply|speak|talk|explain things)(?: to (?:me|us))? (?:in|with|like|more|less)\b/,
]);

/** What a question asks to be done from now on: "Could you always reply in French?" Null for other questions. */
function askedIn(whole: string): string | null {
  const match = asked.exec(whole);
  if (!match) return null;
  const rest = whole.slice(match.index + match[0].length).replace(/\?["')]*$/, '');
  if (!askedRule.test(rest) && !standing.test(rest) && !forbids.test(rest) && !plainWays.test(rest))
    return null;
  return rest.replace(/^(?:please )?not (?:to )?/, 'do not ').replace(/^(\w+?)(?:(t)t)?ing\b/, '$1$2');
}

const clauseEnd =
  /\s*(?:[;:–—]|\s-{1,2}\s|[.!]\s|,|\(|\)|\.\.\.|…)\s*|(?<!\bgo ahead)\s+(?=(?:and|but|so|because|since|although|though|except|then)\s)/;

/** Tells what something did or does. */
const isStatement = (clause: string): boolean =>
  /^(?:the|this|that|it|he|she|they|there|i|we|my|our|a|an) (?:[\w'-]+ ){0,4}?(?:came|was|were|is|are|has|have|had|got|went|arrived|comes|did)\b/.test(
    clause,
  );

/** The sentence itself and its clauses that may be a rule, each without the words that lead into it. */
function clausesOf(whole: string, isStanding: boolean): string[] {
  const parts = whole.split(clauseEnd);
  const some = parts.some(isAdded) ? withoutAdded(parts, isStanding) : parts;
  const clauses = [whole, ...some].map(withoutLeadIn);
  return [...new Set(clauses)].filter((clause) => clause !== '');
}

const isAdded = (part: string, i: number): boolean =>
  i > 0 && /^(?:and|or|but|with) (?:no|not|zero)\b/.test(part);

/** "It came with a crack and no screws", "all work and no play": what is added to what is no rule is none either. */
function withoutAdded(parts: string[], isStanding: boolean): string[] {
  const first = withoutLeadIn(parts[0] ?? '');
  const isTold = isStatement(first);
  if (!isTold && (isOrder(first) || kindOfClause(first, false) !== null)) return parts;
  const others = parts.filter((part, i) => !isAdded(part, i));
  // The first one has just been judged, and is nothing.
  return isTold || isStanding ? others : others.slice(1);
}

function kindOfClause(whole: string, isStanding: boolean): InstructionKind | null {
  const clause = withoutItsObject(whole);
  const want = wanted.exec(clause);
  if (want) {
    const rest = clause
      .slice(want[0].length)
      .replace(/^(?:(?:to )?not(?: to)?|didn't|did not|wouldn't|don't) /, 'do not ')
      .replace(/^(?:to )?never /, 'never ')
      .replace(/^(?:to |kept )/, (lead) => (lead === 'kept ' ? 'keep ' : ''));
    const isRule = isStanding || /\bexpect\b/.test(want[0]);
    return kindOfClause(rest, isStanding) ?? (isRule ? kindOfRule(rest) : null);
  }
  if (courtesies.test(clause)) return null;
  if (forbids.test(clause)) return 'prohibition';
  const isOfOne = !isStanding && theOne.test(clause);
  if (prefers.test(clause) || factsAndFollow.test(clause)) return isOfOne ? null : 'preference';
  if (limits.test(clause)) return 'limit';
  if (permits.test(clause)) return 'permission';
  if (reports.test(clause)) return null;
  if (asksFirst.test(clause) || isOnCondition(clause)) return 'procedure';
  if (conventions.test(clause)) return kindOfRule(clause);
  if (setsForm.test(clause)) return isOfOne ? null : 'format';
  const fragment = kindOfFragment(clause);
  if (fragment) return fragment;
  if (isOfOne && !/^(?:always|never|only)\b/.test(clause)) return null;
  if (isOrder(clause) && /\bwithout (?:asking|checking with|telling|waiting for) (?:me|us)\b/.test(clause))
    return 'permission';
  const isRule =
    orders.test(clause) ||
    conduct.test(clause) ||
    treatsAKind(clause) ||
    isGeneralOrder(clause) ||
    obliges.test(clause);
  return isRule ? kindOfRule(clause) : null;
}

/** The kind of words that are known to be a rule. */
export function kindOfRule(words: string): InstructionKind {
  if (
    /\b(?:don't|do not|never|no|not|nothing|nobody|avoid|(?<!-)stop|without|forbidden|off[- ]limits|untouched|unchanged)\b/.test(
      words,
    )
  )
    return 'prohibition';
  if (
    /\b(?:at most|no more than|at least|up to|maximum|max|limit|budget|under|below|within|exceed)\b.*\d/.test(
      words,
    )
  )
    return 'limit';
  if (aboutForm.test(words)) return 'format';
  if (/\b(?:prefer|rather|like)\b/.test(words)) return 'preference';
  return /^(?:you )?(?:may|can|are (?:free|allowed)|feel free)\b/.test(words) ? 'permission' : 'procedure';
}

/** The same of words as they were written. */
export const kindOfWords = (text: string): InstructionKind => kindOfRule(withoutLeadIn(plain(text)));
