/** Escape sequences of terminals: colours, cursor movement, titles. Bounded, so linear. */
const escapes =
  /\u001b(?:\[[0-9;:?<=>]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Longer lines are matched by their start alone: what a failure is called stands there. */
export const matchedLength = 600;

/** A line as a terminal would leave it: without escapes, and without the progress that was written over it. */
export function cleanLine(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(escapes, '') : line;
  return plain.includes('\r') ? lastSaid(plain) : plain.trimEnd();
}

/** A bar, or a percentage at the start or the end. */
const progress = /[█▓▒░#=>.-]{6}|^\W{0,20}\d{1,3}(?:\.\d{1,3})?%|\d{1,3}(?:\.\d{1,3})?%\W{0,20}$/;
const failure = /error|fail|fatal|exception|panic|cannot|could not|denied|refused|not found/i;

/** Carriage returns overwrite the line: the last text stays, and any that reports a failure. */
function lastSaid(line: string): string {
  const states = line.split('\r').filter((state) => state.trim() !== '');
  const texts = states.filter((state) => !isProgress(state));
  const last = texts.at(-1) ?? states.at(-1) ?? '';
  const failures = new Set(
    texts.filter((text) => text !== last && failure.test(text.slice(0, matchedLength))),
  );
  return [...[...failures].slice(0, 4), last].map((text) => text.trimEnd()).join('  ');
}

const isProgress = (state: string): boolean => {
  const start = state.slice(0, matchedLength);
  return progress.test(start) && !failure.test(start);
};
