/** What a person marked in a log as the lines that state why the run failed. */
export interface CauseLabel {
  /** The lines as they stand in the log, escape sequences and all. */
  cause_text: readonly string[];
}

/** How much of a cause a preview shows. */
export interface CauseShown {
  /** At least one line of it. */
  any: boolean;
  /** Every line of it. */
  all: boolean;
}

/** Lines longer than this may be clipped by a preview. */
const longLine = 200;
/** Of those the first so many characters must be shown. */
const shownOfLongLine = 160;

const escapes = /\u001b(?:\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,200}\u0007?|[@-Z\\-_])/g;

/** A line that holds a time and nothing else, as runners put one before blank lines too. */
const timeOnly = /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*Z?\]?$/;

const flat = (text: string): string => text.replace(escapes, '').replace(/\s+/g, ' ').trim();

/**
 * Whether a preview shows the lines of a cause. A line counts as shown when the preview contains its text, both
 * without escape sequences and with whitespace collapsed; of a line of more than 200 characters the first 160 are
 * enough. Lines without text, or with nothing but a time, count for nothing; a label without any line that has text is
 * never shown.
 */
export function causeShown(preview: string, label: CauseLabel): CauseShown {
  const shown = flat(preview);
  const hits = label.cause_text
    .map(flat)
    .filter((line) => line !== '' && !timeOnly.test(line))
    .map((line) => shown.includes(line.length > longLine ? line.slice(0, shownOfLongLine) : line));
  return { any: hits.includes(true), all: hits.length > 0 && !hits.includes(false) };
}
