import { stem } from '../matter.js';
import { withoutLeadIn } from '../phrases/lead-in.js';
import { isQuestion, plain } from '../plain.js';

/** Going back to something: "(let's) go back to X", "revert to X", "back to X". */
const goesBack =
  /^(?:(?:actually|please|just|no|ok|then|rather) )*(?:(?:you (?:can|may|should|must)|we(?:'ll|'re| are| will| can| should)?|i(?:'d| would)? (?:want|like|prefer)(?: you)? to) )?(?:(?:go|going|move|moving|switch|switching|change|changing|turn|fall|roll) (?:right |straight )?back|revert(?:ing)?(?: back)?|return(?:ing)?|back) to (.+)$/;
/** It may come after a clause that says why. */
const clauses = /[.!;:–—]\s|,\s|\s-\s|\band (?=go|revert|return|switch|move)/;
/** Where the thing ends: a reason, a place, a time. */
const thingEnd =
  /[.,;:!?()–—]|\s-\s|\b(?:for|in|on|at|as|with|from|when|whenever|unless|until|because|since|if|but|and|to|instead|please|again|now|any ?more)\b/;
/** Verbs of having or using the thing, and words that name none. */
const use =
  /^(?:(?:to|the|a|an|any|our|my|your|using|use|uses|used|writing|write|writes|in|with|on|going|go|run|running|having|have|answering|answer|reply|replying|speak|speaking|choose|pick|back|it|at|all|ever|old) )+/;

/** What a text goes back to, by its words; null where it does not, asks, or is long. */
export function returnsTo(text: string): ReadonlySet<string> | null {
  if (text.length > maxChars || !/\bback\b|\brevert\b|\breturn\b/i.test(text) || isQuestion(text))
    return null;
  for (const clause of plain(text).split(clauses)) {
    const words = thingIn(goesBack.exec(withoutLeadIn(clause))?.[1] ?? '');
    if (words.size > 0 && words.size <= maxWords) return words;
  }
  return null;
}

/** A longer text tells more than that something is as before. */
const maxChars = 120;
const maxWords = 5;

/** What stands against something else that is wanted: a thing, and not something to do. */
const contrast =
  /(?<!\b(?:do|does|did|must|should|may|can|could|will|would|shall|is|are|was|were|have|has|had|why|or|if|to)) not |\b(?:instead of|rather than|in place of|no longer|replace|(?:switch|mov|chang|migrat)\w*(?: [\w-]+){0,3}? from|prefer\w*(?: [\w-]+){1,3}? over) |^[\w-]+ over /g;
/** What is banned: a thing with "use", or something to do. */
const ban =
  /\b(?:never|(?:do|must|may|should|can|shall)(?:n't| not)|cannot|dont|not to|stop|avoid|without|no|no more) /g;

/** Does a text rule out the very thing that is gone back to? Whatever else it says of it is another thing. */
export function rulesOut(text: string, thing: ReadonlySet<string>): boolean {
  const words = plain(text);
  const after = (lead: RegExp): ReadonlySet<string>[] =>
    [...words.matchAll(lead)].map(({ 0: found, index }) => thingIn(words.slice(index + found.length)));
  return (
    after(contrast).some((ruledOut) => isSame(ruledOut, thing) || isSame(thing, ruledOut)) ||
    after(ban).some((ruledOut) => isSame(thing, ruledOut))
  );
}

/** Are the words of both the same? Numbers say it without the words for what they count: "port 8080", "8080". */
function isSame(longer: ReadonlySet<string>, shorter: ReadonlySet<string>): boolean {
  if (shorter.size === 0 || ![...shorter].every((word) => longer.has(word))) return false;
  const more = [...longer].filter((word) => !shorter.has(word));
  return more.length === 0 || ([...shorter].some(hasDigit) && !more.some(hasDigit));
}

const hasDigit = (word: string): boolean => /\d/.test(word);

/** The words of the thing that a text begins with. */
function thingIn(text: string): ReadonlySet<string> {
  const [thing = ''] = text
    .replace(/(?<=\d)[.,](?=\d)/g, '_')
    .replace(use, '')
    .split(thingEnd);
  return new Set(
    (thing.match(/[\p{L}\p{N}][\p{L}\p{N}_/'-]*/gu) ?? []).filter((word) => !article.test(word)).map(stem),
  );
}

const article = /^(?:the|a|an|our|my|your|of|to)$/;
