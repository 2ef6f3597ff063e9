const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  copy: '©',
  rarr: '→',
};

/** A text with its entities as characters; names that are not common stay as they are written. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
    const isHex = /^#x/i.test(name);
    return characterOf(isHex ? parseInt(name.slice(2), 16) : Number(name.slice(1)), whole);
  });

const windows1252 = new TextDecoder('windows-1252');

/** As browsers read it (WHATWG HTML, 13.2.5.80): 128 to 159 are of Windows, and what is no character is U+FFFD. */
function characterOf(code: number, whole: string): string {
  if (Number.isNaN(code)) return whole;
  if (code >= 0x80 && code <= 0x9f) return windows1252.decode(Uint8Array.of(code));
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
