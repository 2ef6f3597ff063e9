import type { Search } from '../use-grep';

export interface Piece {
  text: string;
  hit: boolean;
}

/** Characters of a line that a pattern with a repeat is tried on: its time grows with their square. */
const maxTried = 4_000;

/**
 * Splits a line at the matches of a pattern, for show. The API matches in linear time; a browser's RegExp may not,
 * and the text is whatever a tool wrote. So only patterns that are quick on every text are tried here; with others no
 * part is marked, and the background of the line alone says that it matches.
 */
export function highlighter({ pattern, ignoreCase }: Search): (line: string) => Piece[] {
  const plain = (text: string): Piece[] => [{ text, hit: false }];
  const { repeats, choices, isNested } = effortOf(pattern);
  if (pattern === '' || isNested || repeats > 1 || choices > (repeats === 0 ? 8 : 1)) return plain;
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, ignoreCase ? 'gi' : 'g');
  } catch {
    return plain;
  }
  return (text) => {
    const pieces: Piece[] = [];
    let end = 0;
    const tried = repeats === 0 ? text : text.slice(0, maxTried);
    for (const match of tried.matchAll(expression)) {
      if (match[0] === '') continue;
      if (match.index > end) pieces.push({ text: text.slice(end, match.index), hit: false });
      pieces.push({ text: match[0], hit: true });
      end = match.index + match[0].length;
      if (pieces.length > 200) break;
    }
    if (end < text.length) pieces.push({ text: text.slice(end), hit: false });
    return pieces;
  };
}

/**
 * What a pattern makes a browser try: the time on a line grows with its length, once more with each repeat, and doubles
 * with each choice. Upper bounds, since the pattern is not parsed. Nested are repeats of a group.
 */
function effortOf(pattern: string): { repeats: number; choices: number; isNested: boolean } {
  // Escaped characters and classes stand for one character.
  const bare = pattern.replaceAll(/\\./gs, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  let depth = 0;
  let alternatives = 0;
  for (const character of bare) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth > 0) alternatives++;
  }
  // After `(` a question mark names the kind of a group; after these repeats it makes them lazy.
  const optional = bare.match(/(?<![(*+?])\?/g)?.length ?? 0;
  return {
    repeats: bare.match(/[*+{]/g)?.length ?? 0,
    choices: optional + alternatives,
    isNested: /\)[*+?{]/.test(bare),
  };
}
