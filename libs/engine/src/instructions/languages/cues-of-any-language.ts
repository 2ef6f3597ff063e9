import { nameOfCue, type OnCue, type OnWord } from '../cues/cue.js';

/** Text without spaces between words, a word, a number, or a mark. */
const tokens =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}']+|\d[\d.,]*|[?？!！.。,，、:：;；]/gu;
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const syllables = /^\p{Script=Hangul}/u;
const word = /^\p{L}/u;
const quoted = /"[^"]{0,300}"|“[^”]{0,300}”|„[^“”]{0,300}[“”]|«[^»]{0,300}»|「[^」]{0,300}」/g;

/** Words of one stem share parts of this length: letters, or syllables, of which each says more. */
const partLength = { letters: 4, syllables: 2 };

/**
 * What can be seen of a sentence in a language that is not known: its words and their parts, two words in a row, where
 * it begins and ends, and its length. Of a text without spaces between words: one, two and three characters in a row.
 */
export function eachCueOfAnyLanguage(sentence: string, onCue: OnCue, onWord: OnWord): void {
  const text = sentence
    .replace(/[’‘`´]/g, "'")
    .toLowerCase()
    .replace(quoted, ' ');
  const found = text.match(tokens) ?? [];
  let before = '^';
  for (const token of found) {
    if (withoutSpaces.test(token)) characterCues(token, onCue);
    else if (word.test(token)) onWord(token);
    else onCue('', /^\d/.test(token) ? '#' : token);
    onCue('pair:', before, token);
    before = token;
  }
  onCue('first:', found[0] ?? '');
  onCue('first:', found[0] ?? '', found[1] ?? '');
  onCue('last:', found.at(-2) ?? '', before);
  onCue('long:', `${Math.min(8, Math.floor(text.length / 20))}`);
}

/** The names of all cues of a sentence, each once. */
export function cuesOfAnyLanguage(sentence: string): Set<string> {
  const cues = new Set<string>();
  const onCue: OnCue = (...cue) => cues.add(nameOfCue(...cue));
  eachCueOfAnyLanguage(sentence, onCue, (word) => eachCueOfAnyWord(word, onCue));
  return cues;
}

/** A word, and its parts with its begin and end marked: "<imm", "mmer", "mer>". */
export function eachCueOfAnyWord(word: string, onCue: OnCue): void {
  onCue('', word);
  const length = syllables.test(word) ? partLength.syllables : partLength.letters;
  const marked = `<${word}>`;
  for (let i = 0; i + length <= marked.length; i++) onCue('', marked.slice(i, i + length));
}

function characterCues(token: string, onCue: OnCue): void {
  const marked = [...`<${token}>`];
  marked.forEach((one, i) => {
    onCue('', one);
    for (const length of [2, 3])
      if (i + length <= marked.length) onCue('', marked.slice(i, i + length).join(''));
  });
}
