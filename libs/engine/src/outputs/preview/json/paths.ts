import { startOf } from '../../../tokens/whole-characters.js';

/** Characters of a name in a path. */
const maxName = 60;

/** What a name may be in the short form of RFC 9535. */
const shortName = /^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*$/;

/** The path of a member, in a form in which it can be read: `.total`, and `['content-type']` where that is needed. */
export const memberPath = (key: string): string =>
  shortName.test(key) && key.length <= maxName ? `.${key}` : `['${quoted(key)}']`;

const quoted = (key: string): string => {
  const shown = key.length <= maxName ? key : `${startOf(key, maxName)}…`;
  return JSON.stringify(shown).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
};
