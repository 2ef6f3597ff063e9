/** Times that runners, loggers and kernels put before what a tool said, each with what separates it. */
const times: readonly RegExp[] = [
  // The job and the step stand before the time.
  /[^\t\n]{1,80}\t[^\t\n]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z ?/y,
  /\ufeff?[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?[\])]?:?(?: |$)/y,
  /[[(]?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?[\])]?:? (?=\s*\S)/y,
  // syslog and journald: the host and the program stand behind the time.
  /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w./@-]{1,80}(?:\[\d{1,10}\])?: ?/y,
  // The kernel's seconds since it started.
  /\[ {0,8}\d{1,9}\.\d{6}\] /y,
];

/** klog: a level, the day, the time, a thread, and the place in the source. */
const klog = /([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{1,9} +\d{1,10} [\w./-]{1,80}:\d{1,6}\] /y;
const klogLevels: Record<string, string> = { W: 'WARN ', E: 'ERROR ', F: 'FATAL ' };

/** Layers of an image that is built, and names of containers. */
const origins: readonly RegExp[] = [/#\d{1,3} \d{1,5}\.\d{1,3} /y, /[\w.-]{1,60}[_-]\d{1,3} {1,40}\| ?/y];

const level =
  /[[(<]?(?:trace|debug|info|notice|information|warn|warning|error|err|fatal|critical|crit|severe|panic|alert)[\])>]?:?(?=\s)/iy;
const calmLevel = /trace|debug|info|notice/i;

/** What may stand in a column before the words: in brackets, before a bar or a colon, or a name that is no plain word. */
const forms: readonly { name: string; pattern: RegExp; needsTime: boolean }[] = [
  { name: 'level', pattern: level, needsTime: true },
  { name: 'bar', pattern: /(?=[\d./@-]{0,80}[a-z])[\w./@-]{1,80}\s{0,40}\|/iy, needsTime: false },
  { name: 'brackets', pattern: /\[ ?[^\]\s]{1,100}\]:?/y, needsTime: false },
  { name: 'pod', pattern: /[a-z][\w.]{0,60}(?:-[a-z0-9]{1,40}){1,8}(?=\s)/y, needsTime: false },
  { name: 'tag', pattern: /[\w./@[\]-]{1,80}:(?=\s)/y, needsTime: true },
  { name: 'name', pattern: /(?=[\w./@:[\]-]{0,80}[\d./@:[\]-])[\w./@:[\]-]{1,80}(?=\s)/y, needsTime: true },
  { name: 'padded', pattern: /[\w.-]{1,40}(?=\s{2})/y, needsTime: true },
];

interface Column {
  name: string;
  pattern: RegExp;
  /** Characters that the column takes where it is padded; 0 where one blank follows. */
  width: number;
}

/** What tells of a failure is no name. */
const failure = /\b(?:error|err|fatal|fail(?:ed|ure)?|exception|panic|warning|denied|refused|cannot)\b/i;

/** A share of the lines that have a column, and values that it may have at most. */
const commonShare = 0.8;
const maxValues = 40;
const maxColumns = 6;
const sampleSize = 400;

/** A line without its prefix. */
export interface Unprefixed {
  bare: string;
  /** Characters that the prefix takes. */
  cut: number;
}

/** What stands before the words of nearly each line of a text: learnt from a sample, the same for the whole. */
export class LinePrefix {
  private readonly columns: Column[] = [];
  /** What a collector puts its own columns before may begin with a time itself. */
  private hasInnerTime = false;

  constructor(lines: readonly string[]) {
    const filled: string[] = [];
    const step = Math.max(1, Math.floor(lines.length / (sampleSize * 2)));
    for (let i = 0; i < lines.length && filled.length < sampleSize * 2; i += step)
      if (lines[i]!.trim() !== '') filled.push(lines[i]!.slice(0, 400));
    if (filled.length < 4) return;
    const known = filled.map((line) => afterKnown(line).at);
    const timed = known.filter((at) => at > 0).length >= filled.length * commonShare;
    let starts = known;
    while (this.columns.length < maxColumns) {
      const column = nextColumn(
        filled,
        starts,
        timed || this.columns.some(({ name }) => name !== 'brackets'),
      );
      if (!column) break;
      this.columns.push(column);
      starts = starts.map((at, i) => pastColumn(filled[i]!, at, column) ?? at);
    }
    if (this.columns.length > 0) {
      const timedInside = starts.filter((at, i) => at > 0 && afterKnown(filled[i]!.slice(at)).at > 0).length;
      this.hasInnerTime = timedInside >= filled.length * commonShare;
    }
    // A level alone says how much a line matters.
    if (this.columns.length === 1 && this.columns[0]!.name === 'level' && !timed) this.columns.pop();
  }

  /** What a line says, after a level that is no calm one. */
  take(line: string): Unprefixed {
    const { at: start, level: known } = afterKnown(line);
    let at = start;
    let kept = known;
    for (const column of this.columns) {
      const next = pastColumn(line, at, column);
      if (next === null || (column.name !== 'level' && failure.test(line.slice(at, next)))) break;
      if (column.name === 'level' && !calmLevel.test(line.slice(at, next)))
        kept = `${line.slice(at, next).trim()} `;
      at = next;
    }
    if (this.hasInnerTime && at > 0) at += afterKnown(line.slice(at)).at;
    return at === 0 ? { bare: line, cut: 0 } : { bare: kept + line.slice(at), cut: at };
  }
}

const mayHaveTime = /^\ufeff?[\d[(]|^[A-Z][a-z]{2} [ \d]\d |^[IWEF]\d{4} |\t\d/;

/** Where a line goes on after the time and the origin that its form alone gives away. */
function afterKnown(line: string): { at: number; level: string } {
  let at = 0;
  if (mayHaveTime.test(line)) {
    const start = line.length > 400 ? line.slice(0, 400) : line;
    klog.lastIndex = 0;
    const found = klog.exec(start);
    if (found) return { at: found[0].length, level: klogLevels[found[1]!] ?? '' };
    for (const time of times) at = matchEnd(time, start, at);
  }
  if (line.startsWith('#', at) || line.includes(' | ', at)) {
    const start = line.slice(0, at + 200);
    for (const origin of origins) at = matchEnd(origin, start, at);
  }
  return { at, level: '' };
}

function matchEnd(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : at;
}

function nextColumn(lines: readonly string[], starts: readonly number[], mayBeName: boolean): Column | null {
  for (const { name, pattern, needsTime } of forms) {
    if (needsTime && !mayBeName) continue;
    const values = new Set<string>();
    let found = 0;
    let width = Infinity;
    let more = 0;
    lines.forEach((line, i) => {
      const at = blankEnd(line, starts[i]!);
      const end = matchEnd(pattern, line, at);
      // What is all of a line is no prefix of it.
      if (end === at || line.slice(end).trim() === '') return;
      found++;
      if (name === 'bar' && line.includes('|', end)) more++;
      if (values.size <= maxValues) values.add(line.slice(at, end).replace(/\d+/g, '0'));
      width = Math.min(width, blankEnd(line, end) - starts[i]!);
    });
    // Cells between bars are a table.
    if (found < lines.length * commonShare || values.size > maxValues || more > found / 2) continue;
    // Words of a sentence vary little too: a name in a column is one of a few.
    if (name === 'pod' && values.size > Math.max(6, found / 10)) continue;
    return { name, pattern, width };
  }
  return null;
}

/** The end of a column at a place, with one blank or as many as its width asks for; null where it is not. */
function pastColumn(line: string, from: number, { pattern, width }: Column): number | null {
  const at = blankEnd(line, from);
  const end = matchEnd(pattern, line, at);
  if (end === at) return null;
  const until = Math.max(end + 1, from + width);
  let next = end;
  while (next < until && next < line.length && isBlank(line, next)) next++;
  return next;
}

function blankEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && at - from < 60 && isBlank(line, at)) at++;
  return at;
}

const isBlank = (line: string, at: number): boolean => line[at] === ' ' || line[at] === '\t';
