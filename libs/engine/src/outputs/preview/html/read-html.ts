/** A piece of a page's text, in order: a heading with its level, or text. */
export interface HtmlBlock {
  /** 1 to 6; 0 for text. */
  level: number;
  text: string;
  line: number;
  /** Part of what surrounds the content: navigation, forms, the foot of the page. */
  isChrome: boolean;
}

export interface HtmlTable {
  line: number;
  rows: number;
  /** The first row: its cells with bars between them. */
  header: string;
}

export interface HtmlForm {
  line: number;
  /** `POST /login`. */
  action: string;
  /** Names of its fields and texts of its buttons. */
  fields: string[];
}

export interface HtmlLink {
  text: string;
  to: string;
}

export interface HtmlPage {
  title: string;
  /** Headings and paragraphs of the content. */
  blocks: HtmlBlock[];
  /** The same of all the page. */
  all: HtmlBlock[];
  tables: HtmlTable[];
  forms: HtmlForm[];
  /** The first of them, of `linkCount`. */
  links: HtmlLink[];
  linkCount: number;
}

/** What is left out with all that is in it: nobody reads it. */
const dropped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'head']);
/** What surrounds the content of most pages. */
const chrome = new Set(['nav', 'header', 'footer', 'aside', 'form', 'button', 'select']);
const blocks = new Set(
  'p div section article main li ul ol table tr pre blockquote h1 h2 h3 h4 h5 h6 br hr dt dd figure figcaption'.split(
    ' ',
  ),
);

/** What stands in a row of a table belongs together. */
const rowParts = new Set(['tr', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const mostLinks = 60;
const mostFields = 40;

/**
 * Text of a page by one pass over its tags: headings and paragraphs of its main part, when it names one, else of the
 * whole without navigation; and its tables, forms and links. Unclosed and unknown tags are fine.
 */
export function readHtml(html: string): HtmlPage {
  const scan = new HtmlScan(html);
  scan.run();
  const content = scan.all.filter((block) => !block.isChrome);
  const main = scan.main.filter((block) => !block.isChrome);
  const mainText = main.reduce((sum, block) => sum + block.text.length, 0);
  const { title, all, tables, forms, links, linkCount } = scan;
  return { title, blocks: mainText > 200 ? main : content, all, tables, forms, links, linkCount };
}

class HtmlScan {
  readonly all: HtmlBlock[] = [];
  readonly main: HtmlBlock[] = [];
  readonly tables: HtmlTable[] = [];
  readonly forms: HtmlForm[] = [];
  readonly links: HtmlLink[] = [];
  linkCount = 0;
  title = '';
  private text: string[] = [];
  private level = 0;
  private mainDepth = 0;
  private chromeDepth = 0;
  private line = 1;
  private started = 1;
  private at = 0;
  private inRow = false;
  private readonly openTables: HtmlTable[] = [];
  private form: HtmlForm | undefined;
  /** Where the text of a link, or of a button, starts. */
  private link: { to: string; from: number } | undefined;
  private button = -1;

  constructor(private readonly html: string) {}

  run(): void {
    const { html } = this;
    while (this.at < html.length) {
      const open = html.indexOf('<', this.at);
      const until = open < 0 ? html.length : open;
      if (until > this.at) {
        if (this.text.length === 0) this.started = this.line;
        this.text.push(html.slice(this.at, until));
        this.advance(until);
      }
      if (open < 0) break;
      const tag = tagAt(html, open);
      if (!tag) {
        this.text.push('<');
        this.advance(open + 1);
      } else if (!tag.closing && dropped.has(tag.name) && tag.name !== 'head')
        this.advance(endOf(html, tag.name, tag.end));
      else this.see(tag, open);
    }
    this.flush();
  }

  private see({ name, closing, end, isMain }: Tag, open: number): void {
    if (name === 'title' && !closing && this.title === '') this.title = this.titleAt(end);
    if (name === 'button' && closing) this.endButton();
    if (name === 'td' || name === 'th') {
      if (!closing && this.inRow && this.text.length > 0) this.text.push(' | ');
    } else if (this.inRow && blocks.has(name) && !rowParts.has(name)) this.text.push(' ');
    else if (blocks.has(name) || chrome.has(name)) {
      this.flush();
      this.level = !closing && /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    }
    const tagText = (): string => this.html.slice(open, Math.min(end, open + 2_000));
    if (name === 'table') this.seeTable(closing);
    else if (name === 'tr') this.inRow = !closing;
    else if (name === 'a') this.seeLink(closing, tagText);
    else if (name === 'form') this.seeForm(closing, tagText);
    else this.seeField(name, closing, tagText);
    if (name === 'title' && closing) this.text = [];
    if (chrome.has(name)) this.chromeDepth = Math.max(0, this.chromeDepth + (closing ? -1 : 1));
    if (isMain) this.mainDepth = Math.max(0, this.mainDepth + (closing ? -1 : 1));
    this.advance(end);
  }

  private seeTable(closing: boolean): void {
    if (closing) this.openTables.pop();
    else {
      const table = { line: this.line, rows: 0, header: '' };
      this.openTables.push(table);
      this.tables.push(table);
    }
    this.inRow = false;
  }

  private seeLink(closing: boolean, tagText: () => string): void {
    if (!closing) {
      this.linkCount++;
      const to = this.links.length < mostLinks ? attributeIn(tagText(), 'href') : '';
      this.link = to === '' ? undefined : { to, from: this.text.length };
    } else if (this.link) {
      const text = textOf(this.text.slice(this.link.from)).slice(0, 100);
      if (text !== '') this.links.push({ text, to: this.link.to });
      this.link = undefined;
    }
  }

  private seeForm(closing: boolean, tagText: () => string): void {
    this.form = undefined;
    if (closing) return;
    const tag = tagText();
    const method = (attributeIn(tag, 'method') || 'get').toUpperCase();
    this.form = { line: this.line, action: `${method} ${attributeIn(tag, 'action')}`.trim(), fields: [] };
    this.forms.push(this.form);
  }

  private seeField(name: string, closing: boolean, tagText: () => string): void {
    if (!this.form || this.form.fields.length >= mostFields) return;
    if (name === 'button') this.button = closing ? -1 : this.text.length;
    else if (!closing && (name === 'input' || name === 'select' || name === 'textarea')) {
      const tag = tagText();
      const type = attributeIn(tag, 'type');
      const field = attributeIn(tag, 'name') || attributeIn(tag, 'id');
      if (type === 'submit') this.form.fields.push(`[${attributeIn(tag, 'value') || 'submit'}]`);
      else if (field !== '' && type !== 'hidden')
        this.form.fields.push(type === '' || type === 'text' ? field : `${field} (${type})`);
    }
  }

  private endButton(): void {
    const text = this.button >= 0 ? textOf(this.text.slice(this.button)) : '';
    if (text !== '') this.form?.fields.push(`[${text.slice(0, 60)}]`);
  }

  private titleAt(from: number): string {
    const close = this.html.indexOf('</', from);
    return textOf([this.html.slice(from, close < 0 ? from + 300 : Math.min(close, from + 2_000))]).slice(
      0,
      300,
    );
  }

  private flush(): void {
    const text = textOf(this.text);
    this.text = [];
    this.link = undefined;
    if (this.button >= 0) this.button = 0;
    if (text === '') return;
    const table = this.openTables.at(-1);
    if (table && this.inRow) {
      table.rows++;
      if (table.header === '') table.header = text.slice(0, 300);
    }
    const block = { level: this.level, text, line: this.started, isChrome: this.chromeDepth > 0 };
    this.all.push(block);
    if (this.mainDepth > 0) this.main.push(block);
  }

  private advance(to: number): void {
    const { html } = this;
    for (let i = html.indexOf('\n', this.at); i >= 0 && i < to; i = html.indexOf('\n', i + 1)) this.line++;
    this.at = to;
  }
}

const textOf = (parts: readonly string[]): string => decode(parts.join('').replace(/\s+/g, ' ')).trim();

const attributes =
  /\s(href|method|action|type|name|id|value)\s?=\s?(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"'>]{1,500}))/gi;

/** The value of an attribute in a tag; empty when it has none. */
function attributeIn(tag: string, name: string): string {
  for (const [, key = '', double, single, bare] of tag.matchAll(attributes))
    if (key.toLowerCase() === name) return decode(double ?? single ?? bare ?? '').trim();
  return '';
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
