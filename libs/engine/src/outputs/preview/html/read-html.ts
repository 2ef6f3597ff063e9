/** A piece of a page's text, in order: a heading with its level, or text. */
export interface HtmlBlock {
  /** 1 to 6; 0 for text. */
  level: number;
  text: string;
  line: number;
}

export interface HtmlPage {
  title: string;
  blocks: HtmlBlock[];
}

/** What is left out with all that is in it: nobody reads it. */
const dropped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'head']);
/** What surrounds the content of most pages. */
const chrome = new Set(['nav', 'header', 'footer', 'aside', 'form', 'button', 'select']);
const blocks = new Set(
  'p div section article main li ul ol table tr td th pre blockquote h1 h2 h3 h4 h5 h6 br hr dt dd figure figcaption'.split(
    ' ',
  ),
);

/**
 * Text of a page by one pass over its tags: headings and paragraphs of its main part, when it names one, else of the
 * whole without navigation. Unclosed and unknown tags are fine.
 */
export function readHtml(html: string): HtmlPage {
  const whole = scan(html);
  const main = whole.main.filter((block) => block.text.length > 0);
  const mainText = main.reduce((sum, block) => sum + block.text.length, 0);
  return { title: whole.title, blocks: mainText > 200 ? main : whole.all };
}

function scan(html: string): { title: string; all: HtmlBlock[]; main: HtmlBlock[] } {
  const all: HtmlBlock[] = [];
  const main: HtmlBlock[] = [];
  let title = '';
  let text: string[] = [];
  let level = 0;
  let mainDepth = 0;
  let chromeDepth = 0;
  let line = 1;
  let started = 1;
  let at = 0;
  const flush = () => {
    const said = decode(text.join('').replace(/\s+/g, ' ')).trim();
    text = [];
    if (said === '' || chromeDepth > 0) return;
    const block = { level, text: said, line: started };
    all.push(block);
    if (mainDepth > 0) main.push(block);
  };
  const advance = (to: number) => {
    for (let i = html.indexOf('\n', at); i >= 0 && i < to; i = html.indexOf('\n', i + 1)) line++;
    at = to;
  };
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const until = open < 0 ? html.length : open;
    if (until > at) {
      if (text.length === 0) started = line;
      text.push(html.slice(at, until));
      advance(until);
    }
    if (open < 0) break;
    const tag = tagAt(html, open);
    if (!tag) {
      text.push('<');
      advance(open + 1);
      continue;
    }
    const { name, closing, end, isMain } = tag;
    if (!closing && name === 'title' && title === '') {
      const close = html.indexOf('</', end);
      title = decode(html.slice(end, close < 0 ? end + 300 : close))
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 300);
    }
    if (!closing && dropped.has(name) && name !== 'head') {
      const close = endOf(html, name, end);
      advance(close);
      continue;
    }
    if (blocks.has(name) || chrome.has(name)) {
      flush();
      level = !closing && /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    }
    if (name === 'title' && closing) text = [];
    if (chrome.has(name)) chromeDepth = Math.max(0, chromeDepth + (closing ? -1 : 1));
    if (isMain) mainDepth = Math.max(0, mainDepth + (closing ? -1 : 1));
    advance(end);
  }
  flush();
  return { title, all, main };
}

interface Tag {
  name: string;
  closing: boolean;
  isMain: boolean;
  end: number;
}

/** The tag at a `<`; undefined for a `<` that is none. Comments and doctypes are tags without a name. */
function tagAt(html: string, open: number): Tag | undefined {
  if (html.startsWith('<!--', open)) {
    const close = html.indexOf('-->', open);
    return { name: '', closing: false, isMain: false, end: close < 0 ? html.length : close + 3 };
  }
  const head = /^<(\/?)([a-zA-Z][\w-]{0,30}|!)/.exec(html.slice(open, open + 40));
  if (!head) return undefined;
  const close = html.indexOf('>', open);
  if (close < 0) return { name: '', closing: false, isMain: false, end: html.length };
  const name = head[2]!.toLowerCase();
  return { name, closing: head[1] === '/', isMain: name === 'main' || name === 'article', end: close + 1 };
}

/** After the end tag of an element whose content is not markup; the end of the page when it is missing. */
function endOf(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name) continue;
    const close = html.indexOf('>', at);
    return close < 0 ? html.length : close + 1;
  }
  return html.length;
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  copy: '©',
  rarr: '→',
};

const decode = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
