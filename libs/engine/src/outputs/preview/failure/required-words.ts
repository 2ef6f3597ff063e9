import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** A shorter one is in nearly every line. */
const minLength = 2;

/**
 * Strings in lower case of which each match of a pattern contains one, in any case of ASCII letters. Null where the
 * pattern does not say any. Sound and not complete: "(?:cannot|can't) find" gives ["cannot", "can't"] or ["find"].
 */
export function requiredWords(pattern: RegExp): string[] | null {
  const { alternatives } = new RegExpParser().parsePattern(pattern.source, 0, pattern.source.length, {
    unicode: pattern.unicode,
  });
  return ofAny(alternatives);
}

/** One of the alternatives matches, so each has to say its words. */
function ofAny(alternatives: readonly AST.Alternative[]): string[] | null {
  const words = alternatives.map(({ elements }) => ofSequence(elements));
  return words.includes(null) ? null : [...new Set(words.flatMap((some) => some ?? []))];
}

/** All elements match, one after the other, so the words of any of them do: those that lines have least. */
function ofSequence(elements: readonly AST.Element[]): string[] | null {
  let best: string[] | null = null;
  const offer = (words: string[] | null): void => {
    if (words && shortest(words) >= minLength && (!best || shortest(words) > shortest(best))) best = words;
  };
  let run = '';
  for (const element of elements) {
    const letter = letterOf(element);
    if (letter !== null) {
      run += letter;
      continue;
    }
    offer([run]);
    run = '';
    offer(ofElement(element));
  }
  offer([run]);
  return best;
}

function ofElement(element: AST.Element): string[] | null {
  if (element.type === 'Group' || element.type === 'CapturingGroup') return ofAny(element.alternatives);
  return element.type === 'Quantifier' && element.min > 0 ? ofSequence([element.element]) : null;
}

const shortest = (words: readonly string[]): number =>
  words.reduce((least, { length }) => Math.min(least, length), Infinity);

/** An ASCII character, or a class of the two cases of one. */
function letterOf(element: AST.Element): string | null {
  if (element.type === 'Character')
    return element.value < 128 ? String.fromCharCode(element.value).toLowerCase() : null;
  if (element.type !== 'CharacterClass' || element.negate) return null;
  const letters = new Set(element.elements.map((one) => (one.type === 'Character' ? letterOf(one) : null)));
  const [letter = null] = letters;
  return letters.size === 1 ? letter : null;
}
