/** A sentence of a person's own words, with the place where it stands in the message. */
export interface Sentence {
  start: number;
  /** As it was written, without the mark of its list. */
  text: string;
  /** It is an item of a list of rules ("Ground rules:", "Please keep to this:"). */
  isRule: boolean;
}

/** Texts are read up to this many characters from each end: what lies between is pasted, not said. */
const readChars = 30_000;
const maxSentences = 2_000;
/** A longer sentence is no instruction of a person. */
const maxSentenceChars = 1_000;

/** A heading that announces a list of rules. */
const rulesHead =
  /\b(?:(?:ground |house |basic |working )?rules?|constraints?|guidelines?|preferences?|requirements|conventions?|restrictions?|boundaries|conditions|dos and don.?ts|do.?s and don.?ts|instructions|keep (?:to|in mind)|bear in mind|stick to|remember|how (?:i|we) (?:like|want|work)|(?:a few|some|couple of|two|three|four|five) (?:\w+ )?things|(?:while|when) you work|from now on|going forward|in (?:every|all|each|your) \w+|please (?:follow|observe|respect|note)|style|no-gos?)\b[^:]{0,60}:\s*$/i;
const listMark = /^\s*(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+(?:\[[ x]\]\s*)?/;
/** A heading that announces somebody else's words. */
const quoteHead =
  /(?:^(?:from|subject|sent|date): |\b(?:wrote|writes|says?|said|reads?|replied|answered|asked|e-?mail|mail|message|ticket|issue|review|comment|transcript|thread|docs?|documentation|readme|policy|terms|article|page|log|output|error|response|prompt|snippet|script|file|quote|excerpt|letter|note from \w+|forwarded|here(?:'|’)?s what[^:]{0,60}|text|translate this|proofread this|rewrite this|summari[sz]e this|this (?:paragraph|draft|post))(?: (?:below|above|from [^:]{1,40}|i got|we got|is|was))?)\s*:\s*$/i;
const looksPasted =
  /^\s*(?:>|\||\$ |➜|#!|diff |index [0-9a-f]{6}|@@|\+\+\+|---|[+-]{1}\S.*[;{}(]$|at \S+ ?\(|File "|Traceback|\{|\}|\[|<\/?[a-z!]|import |export |const |let |var |function |class |def |return |if ?\(|\/\/|\/\*|\* |#include|\d{4}-\d\d-\d\d[T ]\d\d:|\d\d:\d\d:\d\d|(?:\w+: ){0,2}(?:error|fatal|warning|hint|exception)\b: |\w+: (?:Prefer|Unexpected|Expected|Missing|Replace|Avoid) \S+ .*\([\w@/-]+\)$|(?:TODO|FIXME|XXX|@\w+\()|--\s|<!--|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE)\b)|[;{}]\s*$|=>|\)\s*;$/;
const fence = /^\s*(?:```|~~~)/;
/** Everything after it was written by others. */
const forwarded = /^\s*-{2,}\s*(?:original message|forwarded message|begin forwarded)/i;
const opensBlock = /^\s*<([a-z][\w-]{1,40})(?:\s[^>]{0,200})?>/i;

interface Line {
  start: number;
  text: string;
}

/** The sentences of a message that are its writer's own: not code, quotes, logs, marked-up or forwarded text. */
export function sentencesIn(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (const [start, part] of endsOf(text)) {
    for (const paragraph of paragraphsIn(part, start)) {
      for (const sentence of splitSentences(paragraph)) {
        if (found.length >= maxSentences) return found;
        found.push(sentence);
      }
    }
  }
  return found;
}

function endsOf(text: string): [number, string][] {
  if (text.length <= 2 * readChars) return [[0, text]];
  return [
    [0, text.slice(0, readChars)],
    [text.length - readChars, text.slice(-readChars)],
  ];
}

interface Paragraph extends Line {
  isRule: boolean;
}

/** Lines that belong together, without what was pasted. */
function* paragraphsIn(text: string, offset: number): Generator<Paragraph> {
  const isPasted = pastedLines(text.toLowerCase(), offset);
  let quote: 'none' | 'announced' | 'open' = 'none';
  let inRules = false;
  let open: Paragraph | null = null;
  for (const line of linesIn(text, offset)) {
    const { text: words } = line;
    if (forwarded.test(words)) break;
    const isBlank = words.trim() === '';
    const isSkipped = isPasted(line) || isBlank || quote !== 'none';
    if (isBlank && quote === 'open') quote = 'none';
    else if (!isBlank && quote === 'announced') quote = 'open';
    const isItem = listMark.test(words);
    if (open && (isSkipped || isItem || !continues(open, words))) {
      yield open;
      open = null;
    }
    if (isSkipped) continue;
    if (open) {
      open.text = text.slice(open.start - offset, line.start - offset + words.length);
    } else {
      const mark = listMark.exec(words)?.[0].length ?? words.length - words.trimStart().length;
      if (!isItem) inRules = false;
      open = { start: line.start + mark, text: words.slice(mark), isRule: isItem && inRules };
    }
    if (rulesHead.test(open.text)) inRules = true;
    else if (quoteHead.test(open.text)) quote = 'announced';
  }
  if (open) yield open;
}

/** Tells of each line in turn whether it is code, a log, a quote or marked-up text. */
function pastedLines(lower: string, offset: number): (line: Line) => boolean {
  let isFenced = false;
  let block: string | null = null;
  return ({ start, text }) => {
    if (fence.test(text)) {
      isFenced = !isFenced;
      return true;
    }
    if (isFenced) return true;
    if (block !== null) {
      if (text.toLowerCase().includes(block)) block = null;
      return true;
    }
    const tag = opensBlock.exec(text)?.[1]?.toLowerCase();
    if (tag === undefined) return looksPasted.test(text);
    const end = `</${tag}`;
    if (!text.toLowerCase().includes(end) && lower.indexOf(end, start - offset) >= 0) block = end;
    return true;
  };
}

/** A line that was wrapped goes on in the next one. */
const continues = (open: Line, next: string): boolean =>
  /^\s*[a-z(]/.test(next) &&
  !/[.!?:;]\s*$/.test(open.text) &&
  open.text.length - open.text.lastIndexOf('\n') > 50;

function* linesIn(text: string, offset: number): Generator<Line> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at);
    const to = end < 0 ? text.length : end;
    yield { start: offset + at, text: text.slice(at, to) };
    at = to + 1;
  }
}

/** Marks of Chinese and Japanese have no space after them. */
const boundary = /[.!?…]["'”’)\]]*\s+|[。！？]["'”’)\]」』）]*\s*/g;
/** A full stop that ends no sentence. */
const abbreviation =
  /(?:\b(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|no|approx|incl|resp|st|inc|ltd)|\b[A-Z])\.\s+$/i;

function* splitSentences({ start, text, isRule }: Paragraph): Generator<Sentence> {
  let from = 0;
  const piece = (to: number): Sentence | null => {
    const raw = text.slice(from, to);
    const words = raw.trim();
    const at = start + from + (raw.length - raw.trimStart().length);
    return words.length > 2 && words.length <= maxSentenceChars ? { start: at, text: words, isRule } : null;
  };
  for (const match of text.matchAll(boundary)) {
    const to = match.index + match[0].length;
    if (
      abbreviation.test(text.slice(Math.max(0, to - 12), to)) &&
      !/^\s*(?:I|Please|Do|Never|Always)\b/.test(text.slice(to, to + 10))
    )
      continue;
    const found = piece(to);
    if (found) yield found;
    from = to;
  }
  const last = piece(text.length);
  if (last) yield last;
}
