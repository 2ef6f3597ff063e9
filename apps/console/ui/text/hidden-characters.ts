/** A piece of a text as it stands, or what is shown in place of characters that hide or turn text. */
export type ShownPiece = string | { mark: string; about: string };

/**
 * Characters without a shape of their own that a message may hide text with: soft hyphens, spaces and joiners of no
 * width, marks that turn the direction, invisible operators, and tags, which spell ASCII that only a model reads.
 */
const hiding = String.raw`\u{AD}\u{61C}\u{180E}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}`;
/** Each chooses a form of the character before it; a second one in a row chooses nothing. */
const selectors = String.raw`\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}`;

/** Scripts in which joiners between letters change how these are written. */
const joining = [
  'Arabic Syriac Mandaic Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam',
  'Sinhala Khmer Myanmar Tibetan',
]
  .flatMap((names) => names.split(' '))
  .map((name) => String.raw`\p{Script=${name}}`)
  .join('');
/** Marks that take the vowel of a letter: a joiner after one also stands at the end of a word. */
const viramas = String.raw`\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D4D}\u{DCA}`;

/** What belongs to letters and emoji: joiners within them, and the flags of England, Scotland and Wales. */
const belongs = [
  String.raw`(?<=\p{Extended_Pictographic}[\u{FE0F}\p{Emoji_Modifier}]?)\u{200D}(?=\p{Extended_Pictographic})`,
  `(?<=[${joining}])[\\u{200C}\\u{200D}](?=[${joining}])`,
  `(?<=[${viramas}])[\\u{200C}\\u{200D}]`,
  String.raw`(?<=\u{1F3F4})\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`,
].join('|');

const any = new RegExp(`[${hiding}${selectors}]`, 'u');
const runs = new RegExp(`${belongs}|(?<run>[${hiding}]+|(?<=[${selectors}])[${selectors}]+)`, 'gu');

/**
 * Splits a text at the characters that hide or turn text, so that they are seen: a command is read in the order in
 * which it runs, and two names that differ do not look alike.
 */
export function splitAtHidden(text: string): ShownPiece[] {
  if (!any.test(text)) return [text];
  const pieces: ShownPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(runs)) {
    const run = match.groups?.run;
    if (run === undefined) continue;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    end = match.index + run.length;
    for (const same of run.match(/[\u{E0020}-\u{E007E}]+|(.)\1*/gsu) ?? []) pieces.push(markOf(same));
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** The mark of a run of one character, or of tags. */
function markOf(run: string): { mark: string; about: string } {
  const codes = Array.from(run, (char) => char.codePointAt(0)!);
  const [code] = codes as [number];
  if (code >= 0xe0020 && code <= 0xe007e) {
    const ascii = codes.map((tag) => String.fromCharCode(tag - 0xe0000)).join('');
    return { mark: `tags “${ascii}”`, about: 'Tag characters: people do not see them, models may read them' };
  }
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const mark = codes.length === 1 ? name : `${name} ×${codes.length}`;
  return { mark, about: names.get(code) ?? 'Invisible character' };
}

const names = new Map([
  [0xad, 'Soft hyphen'],
  [0x61c, 'Arabic letter mark'],
  [0x200b, 'Zero width space'],
  [0x200c, 'Zero width non-joiner'],
  [0x200d, 'Zero width joiner'],
  [0x200e, 'Left-to-right mark'],
  [0x200f, 'Right-to-left mark'],
  [0x202a, 'Left-to-right embedding'],
  [0x202b, 'Right-to-left embedding'],
  [0x202c, 'End of an embedding or override'],
  [0x202d, 'Left-to-right override'],
  [0x202e, 'Right-to-left override: turns the text after it'],
  [0x2060, 'Word joiner'],
  [0x2066, 'Left-to-right isolate'],
  [0x2067, 'Right-to-left isolate'],
  [0x2068, 'First strong isolate'],
  [0x2069, 'End of an isolate'],
  [0xfeff, 'Zero width no-break space'],
]);
