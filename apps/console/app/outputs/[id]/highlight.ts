import type { Search } from './use-grep';

export interface Piece {
  text: string;
  hit: boolean;
}

/**
 * Splits a line at the matches of a pattern, for show. The API matches in linear time; a browser's RegExp may not,
 * and the text is whatever a tool wrote. So only patterns with at most one unbounded repeat are tried here, which
 * is quadratic at worst on a line that is clipped; with others the line is marked as a whole.
 */
export function highlighter({ pattern, ignoreCase }: Search): (line: string) => Piece[] {
  const repeats = pattern.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  const plain = (text: string): Piece[] => [{ text, hit: false }];
  if (pattern === '' || repeats > 1 || /\)[*+?{]/.test(pattern)) return plain;
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, ignoreCase ? 'gi' : 'g');
  } catch {
    return plain;
  }
  return (text) => {
    const pieces: Piece[] = [];
    let end = 0;
    for (const match of text.matchAll(expression)) {
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
