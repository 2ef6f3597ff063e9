/** One line of a summary's field, with the message that it is taken from. */
export interface SummaryLine {
  seq: number;
  text: string;
}

const line = /^- \[(\d+)\] (.+)$/;

/** Renders a line. One that a model or a person wrote has seq 0 and gets no citation: no message is known to say it. */
export const renderLine = ({ seq, text }: SummaryLine): string =>
  seq === 0 ? `- ${text}` : `- [${seq}] ${text}`;

/** The lines of a rendered field. Lines without a citation, which a model or a person wrote, have seq 0. */
export const parseLines = (field: string): SummaryLine[] =>
  field
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const match = line.exec(text);
      return { seq: Number(match?.[1] ?? 0), text: match?.[2] ?? text.replace(/^- /, '') };
    });

/** The text on one line, with one space for each run of blanks and line breaks. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Text on one line, clipped to `max` characters at a word. */
export function clipAtWord(text: string, max: number): string {
  const flat = onOneLine(text);
  if (flat.length <= max) return flat;
  const cut = flat.slice(0, max);
  const space = cut.lastIndexOf(' ');
  return `${(space > max * 0.6 ? cut.slice(0, space) : cut).toWellFormed()} ...`;
}

/** Spaces in place of words that `clipAtWord` may have cut in half. A word is tried from its start alone: linear. */
export const withoutClippedWords = (text: string): string =>
  text.replace(/(?:(?<!\S)|(?<= \.\.\.))\S+ \.\.\./g, ' ');
