/** What runners put before what a tool said: the job and the step, then the time. */
const times: readonly RegExp[] = [
  /^[^\t]{1,80}\t[^\t]{1,80}\t(?=\d{4}-\d\d-\d\dT)/,
  /^\ufeff?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?\]?:? ?/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? (?=\S)/,
];

/** What stands between the time and the words: the layer of an image that is built, the name of a container. */
const origins: readonly RegExp[] = [/^#\d{1,3} \d{1,5}\.\d{1,3} /, /^[\w.-]{1,40}[_-]\d{1,3} {1,20}\| /];

/** A level or the name of a tool; what follows it is looked at by itself as well. */
const levels =
  /^\[(?:info|error|warn|warning|debug|trace|ERROR|INFO|WARN|WARNING|DEBUG|TRACE)\] ?|^npm (?:ERR!|error) /;

function without(prefixes: readonly RegExp[], line: string): string {
  let rest = line;
  for (const prefix of prefixes) {
    const found = prefix.exec(rest);
    if (found) rest = rest.slice(found[0].length);
  }
  return rest;
}

/** A line without the time, and the job, that a runner puts before it. */
export const withoutTime = (line: string): string => without(times, line);

/** What a tool said, without anything that a runner puts before each line. */
export function withoutPrefix(line: string): string {
  // Most lines have none, and there are many lines.
  const rest = mayHaveTime.test(line) ? without(times, line) : line;
  return rest.startsWith('#') || rest.includes(' | ') ? without(origins, rest) : rest;
}

const mayHaveTime = /^[\d[\ufeff]|\t\d/;

/** What stands after the level with which a line starts, or null when it starts with none. */
export function afterLevel(line: string): string | null {
  const found = levels.exec(line);
  return found ? line.slice(found[0].length) : null;
}
