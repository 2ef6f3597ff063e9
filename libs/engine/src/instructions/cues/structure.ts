import { aboutForm } from '../phrases/forms.js';
import { theOne } from '../phrases/not-a-rule.js';
import { standing } from '../phrases/standing.js';

const finite =
  /\b(?:is|was|were|am|are|isn't|aren't|wasn't|has|had|have|did|does|do|don't|doesn't|didn't|will|would|can|could|can't|should|must|may)\b/;
const past =
  /\b(?:was|were|had|did|didn't|went|came|got|said|told|made|took|saw|found|left|gave|bought|sent|paid|lost|\w{3,}ed)\b/;
const oneThing =
  /\b(?:this|that|these|those|the (?:first|second|third|last|next|same|other|attached|following|previous)|here|now|today|tomorrow|tonight|yesterday|\d{3,})\b/;
/** A plural without an article after the verb: things of a kind. */
const kinds =
  /^(?:[a-z]+ ){1,2}(?!(?:us|is|as|this|his|its|was|yes|less|business|class|address|always)\b)[a-z-]{3,}(?<!s)s\b/;
const general =
  /\b(?:any|anything|anyone|anybody|every|everything|everyone|each|all|wherever|whenever|unless|rather than|always|never|only)\b/;

const firstWord = /[a-z']+/;

/**
 * What the rules of grammar see of a sentence, alone and together: an order about things of a kind, a past event ...
 * `rest`: without its lead-in; `isOrder`: whether that begins with a bare verb.
 */
export function structureOf(sentence: string, rest: string, isOrder: boolean): string[] {
  const form = isOrder ? 'order' : finite.test(rest) ? 'statement' : 'fragment';
  const isOne = oneThing.test(rest) || theOne.test(rest);
  const isStanding = standing.test(sentence);
  const marks = {
    past: past.test(rest),
    one: isOne,
    the: /\bthe [a-z]+/.test(rest),
    kinds: kinds.test(rest),
    general: general.test(rest),
    standing: isStanding,
    style: aboutForm.test(rest),
  };
  const shown = (...names: (keyof typeof marks)[]): string =>
    [form, ...names.filter((name) => marks[name])].join('+');
  return [
    `is:${form}`,
    ...Object.entries(marks).flatMap(([name, has]) => (has ? [`is:${name}`] : [])),
    `is1:${shown('one', 'past')}`,
    `is2:${shown('kinds', 'the')}`,
    `is3:${shown('style', 'one')}`,
    `is4:${form}${marks.general || isStanding ? '+general' : ''}${isOne ? '+one' : ''}`,
    `begins:${firstWord.exec(rest)?.[0] ?? ''}`,
  ];
}
