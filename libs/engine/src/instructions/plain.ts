/** The characters that `plain` changes beside the case. Most sentences have none of them. */
const special = /[’‘`´"“”«»*_,]|[^\S ]| {2}/;

/** Lower case, straight apostrophes, no quoted speech, no marks of emphasis. */
export function plain(sentence: string): string {
  if (!special.test(sentence)) return sentence.trim().toLowerCase();
  return sentence
    .replace(/[’‘`´]/g, "'")
    .replace(/["“”«»]([^"“”«»]{0,400})["“”«»]/g, (_, words: string) =>
      words.trim().includes(' ') ? '"…"' : words,
    )
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .replace(
      /,? ?(?:under (?:any|no) circumstances|no matter what|at any (?:point|time)|please|if possible|whatever happens),(?= \w)/gi,
      '',
    )
    .trim()
    .toLowerCase();
}

/** Does it end with a question mark, or with one in quotes or brackets? */
export const isQuestion = (sentence: string): boolean => /\?["')]*$/.test(sentence);
