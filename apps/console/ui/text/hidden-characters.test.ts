import { describe, expect, test } from 'vitest';
import { splitAtHidden } from './hidden-characters';

/** A text as it is shown, with marks in brackets. */
const shown = (text: string): string =>
  splitAtHidden(text)
    .map((piece) => (typeof piece === 'string' ? piece : `[${piece.mark}]`))
    .join('');

describe('A53 characters that hide or turn text are shown as marks', () => {
  test.each([
    ['a command with an override', 'rm \u202E/pmt/ fr- \u202C x', 'rm [U+202E]/pmt/ fr- [U+202C] x'],
    ['a name with an override', '\u202Enimda', '[U+202E]nimda'],
    [
      'spaces of no width and soft hyphens',
      'pay\u200Bpal and pay\u00ADpal',
      'pay[U+200B]pal and pay[U+00AD]pal',
    ],
    ['runs of one character', 'a\u200B\u200B\u200B\u2060b\uFEFF', 'a[U+200B ×3][U+2060]b[U+FEFF]'],
    ['isolates and a language tag', 'a\u2066\u{E0001}b', 'a[U+2066][U+E0001]b'],
    [
      'tags that spell ASCII',
      'Hello\u{E0072}\u{E006D}\u{E0020}\u{E002D}\u{E0072}\u{E007F}.',
      'Hello[tags “rm -r”][U+E007F].',
    ],
    ['variation selectors behind an emoji', '😀\uFE0F\uFE00\u{E0101}', '😀\uFE0F[U+FE00][U+E0101]'],
    [
      'joiners that join nothing',
      'ad\u200Dmin a\u200Cb 👩\u200D \u200D👩',
      'ad[U+200D]min a[U+200C]b 👩[U+200D] [U+200D]👩',
    ],
    [
      'tags behind a flag that no country has',
      '🏴\u{E0067}\u{E0062}\u{E0078}\u{E007F}',
      '🏴[tags “gbx”][U+E007F]',
    ],
  ])('%s', (_what, text, marked) => expect(shown(text)).toBe(marked));
});

test.each([
  ['emoji of several people, with skin and in colour', '👩‍👩‍👧‍👦 👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈 🧑‍💻'],
  ['flags of parts of a country', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['Persian', 'می‌خواهم'],
  ['Hindi, Sinhala and Malayalam', 'क्‍ष क्‌ष ශ්‍රී അവന്‍'],
  ['a form of an ideograph', '葛\u{E0100}飾'],
  ['plain text', 'All work.\n\tAnd no play.'],
])('%s stays as it is', (_what, text) => expect(shown(text)).toBe(text));
