export interface JsonFault {
  /** Of the first character that cannot stand there. */
  offset: number;
  expected: string;
}

const space = /[ \t\n\r]*/y;
// A string without its closing quote. Characters below U+0020 have to be escaped.
const string = /"(?:[^"\\\u{0}-\u{1f}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

type Next = 'value' | 'name' | 'colon' | 'comma';

/**
 * Returns where a text stops being JSON, null when all of it is JSON. The errors of JSON.parse name no place for some
 * faults, and differ between browsers.
 */
export function jsonFault(text: string): JsonFault | null {
  const open: ('}' | ']')[] = [];
  let at = 0;
  let next = 'value' as Next;
  /** Nothing follows the bracket that was opened last, so it may be closed at once. */
  let isEmpty = false;
  const matches = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const takes = (character: string): boolean => {
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  /** What a string lacks, null for a whole one. */
  const stringFault = (): string | null => {
    if (!matches(string)) return 'a name in double quotes';
    if (takes('"')) return null;
    return text[at] === '\\' ? String.raw`an escape such as \n or \"` : 'a closing double quote';
  };
  const begin = (closing: '}' | ']'): null => {
    open.push(closing);
    next = closing === '}' ? 'name' : 'value';
    isEmpty = true;
    return null;
  };
  /** What the next piece of the text should be; null when it is. */
  const step = (): string | null => {
    const closing = open.at(-1);
    if (closing !== undefined && (next === 'comma' || isEmpty) && takes(closing)) {
      open.pop();
      next = 'comma';
      isEmpty = false;
      return null;
    }
    if (next === 'comma') {
      if (!takes(',')) return `a comma or ${closing}`;
      next = closing === '}' ? 'name' : 'value';
      return null;
    }
    if (next === 'colon') {
      if (!takes(':')) return 'a colon';
      next = 'value';
      return null;
    }
    isEmpty = false;
    if (next === 'name') {
      next = 'colon';
      return stringFault();
    }
    if (takes('{')) return begin('}');
    if (takes('[')) return begin(']');
    next = 'comma';
    if (text[at] === '"') return stringFault();
    return matches(scalar) ? null : 'a value';
  };
  do {
    matches(space);
    const expected = step();
    if (expected !== null) return { offset: at, expected };
  } while (open.length > 0 || next !== 'comma');
  matches(space);
  return at === text.length ? null : { offset: at, expected: 'the end' };
}
