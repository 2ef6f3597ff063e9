import { decodeEntities } from './entities.js';

export interface Tag {
  /** In lower case; empty for a comment. */
  name: string;
  isClosing: boolean;
  /** After its `>`. */
  end: number;
}

/** The tag at a `<`; undefined for a `<` that starts none. Comments and doctypes are tags. */
export function tagAt(html: string, open: number): Tag | undefined {
  if (html.startsWith('<!--', open)) {
    const close = html.indexOf('-->', open);
    return { name: '', isClosing: false, end: close < 0 ? html.length : close + 3 };
  }
  const head = /^<(\/?)([a-zA-Z][\w-]{0,30}|!)/.exec(html.slice(open, open + 40));
  if (!head) return undefined;
  const end = endOfTag(html, open + head[0].length);
  return { name: head[2]!.toLowerCase(), isClosing: head[1] === '/', end };
}

/**
 * Longest value whose closing quote is looked for: data of scripts stands in attributes too. A quote without another
 * one in so many characters is none, so that looking for it takes time in proportion.
 */
const maxValueLength = 100_000;

/** After the `>` of a tag. One within a quoted value does not end it: `class="[&>p]:mt-2"`. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const char = html[at]!;
    if (char === '>') return at + 1;
    if ((char !== '"' && char !== "'") || html[at - 1] !== '=') continue;
    const length = html.slice(at + 1, at + 1 + maxValueLength).indexOf(char);
    if (length >= 0) at += length + 1;
  }
  return html.length;
}

/** After the end tag of an element whose content is not markup; the end of the page when it is missing. */
export function endOfElement(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name) continue;
    const close = html.indexOf('>', at);
    return close < 0 ? html.length : close + 1;
  }
  return html.length;
}

const attributes =
  /\s(href|method|action|type|name|id|value)\s?=\s?(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"'>]{1,500}))/gi;

/** The value of an attribute in the text of a tag; empty when it has none. */
export function attributeIn(tag: string, name: string): string {
  for (const [, key = '', double, single, bare] of tag.matchAll(attributes))
    if (key.toLowerCase() === name) return decodeEntities(double ?? single ?? bare ?? '').trim();
  return '';
}
