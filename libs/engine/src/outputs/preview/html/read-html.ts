import { decodeEntities } from './entities.js';
import { attributeIn, endOfElement, tagAt, type Tag } from './tag.js';

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
const dropped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe']);
/** What surrounds the content of most pages. */
const chrome = new Set(['nav', 'header', 'footer', 'aside', 'form', 'button', 'select']);
/** What names the content of a page. */
const mainParts = new Set(['main', 'article']);
const blocks = new Set(
  'p div section article main li ul ol table tr pre blockquote h1 h2 h3 h4 h5 h6 br hr dt dd figure figcaption'.split(
    ' ',
  ),
);

/** What stands in a row of a table belongs together. */
const rowParts = new Set(['tr', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** More links and fields than a preview has room for. */
const maxLinks = 60;
const maxFields = 40;
/** Characters kept of a title, the header of a table, the text of a link and of a button. */
const maxTitle = 300;
const maxHeader = 300;
const maxLinkText = 100;
const maxButtonText = 60;
/** Characters of a tag, and of what stands behind `<title>`, that are looked at. */
const lookedAt = 2_000;

/**
 * Text of a page by one pass over its tags: headings and paragraphs of its content; and its tables, forms and links.
 * Unclosed and unknown tags are fine.
 */
export function readHtml(html: string): HtmlPage {
  const scan = new HtmlScan(html);
  scan.run();
  const { title, all, tables, forms, links, linkCount } = scan;
  return { title, blocks: contentOf(scan), all, tables, forms, links, linkCount };
}

/** Characters from which on a part of a page is taken for its content. */
const minContent = 200;

/**
 * The main part of a page, when it names one with enough text in it; else all without what surrounds the content. A
 * page that has nearly all of its text there, such as one that is a single form, is shown whole.
 */
function contentOf({ main, all }: HtmlScan): HtmlBlock[] {
  const isContent = (block: HtmlBlock): boolean => !block.isChrome;
  const named = main.filter(isContent);
  if (lengthOf(named) > minContent) return named;
  const content = all.filter(isContent);
  const length = lengthOf(content);
  return length > minContent || length >= lengthOf(all) / 10 ? content : all;
}

const lengthOf = (found: readonly HtmlBlock[]): number =>
  found.reduce((sum, block) => sum + block.text.length, 0);

class HtmlScan {
  readonly all: HtmlBlock[] = [];
  readonly main: HtmlBlock[] = [];
  readonly tables: HtmlTable[] = [];
  readonly forms: HtmlForm[] = [];
  readonly links: HtmlLink[] = [];
  linkCount = 0;
  title = '';
  /** Where the scan is, its line, and where that line ends. */
  private at = 0;
  private line = 1;
  private lineEnd: number;
  /** The block that is being read: its pieces, the line of the first, and its level. */
  private text: string[] = [];
  private startLine = 1;
  private level = 0;
  /** How many main parts, and parts around the content, are open. */
  private mainDepth = 0;
  private chromeDepth = 0;
  private readonly openTables: HtmlTable[] = [];
  private inRow = false;
  private form: HtmlForm | undefined;
  /** The link and the button that are open: `from` is where their text starts among the pieces. */
  private link: { to: string; from: number } | undefined;
  private button: { from: number } | undefined;

  constructor(private readonly html: string) {
    this.lineEnd = this.lineEndFrom(0);
  }

  run(): void {
    const { html } = this;
    while (this.at < html.length) {
      const open = html.indexOf('<', this.at);
      const until = open < 0 ? html.length : open;
      if (until > this.at) {
        if (this.text.length === 0) this.startLine = this.line;
        this.text.push(html.slice(this.at, until));
        this.advance(until);
      }
      if (open < 0) break;
      const tag = tagAt(html, open);
      if (!tag) {
        this.text.push('<');
        this.advance(open + 1);
      } else if (!tag.isClosing && dropped.has(tag.name)) this.advance(endOfElement(html, tag.name, tag.end));
      else {
        this.see(tag, html.slice(open, Math.min(tag.end, open + lookedAt)));
        this.advance(tag.end);
      }
    }
    this.flush();
  }

  private see({ name, isClosing, end }: Tag, tagText: string): void {
    if (name === 'button' && isClosing) this.endButton();
    this.separate(name, isClosing);
    if (name === 'title') this.seeTitle(isClosing, end);
    else if (name === 'table') this.seeTable(isClosing);
    else if (name === 'tr') this.inRow = !isClosing;
    else if (name === 'a') this.seeLink(isClosing, tagText);
    else if (name === 'form') this.seeForm(isClosing, tagText);
    else if (!isClosing) this.seeField(name, tagText);
    const step = isClosing ? -1 : 1;
    if (this.isChrome(name)) this.chromeDepth = Math.max(0, this.chromeDepth + step);
    if (mainParts.has(name)) this.mainDepth = Math.max(0, this.mainDepth + step);
  }

  /** The header of an article holds its heading. */
  private isChrome(name: string): boolean {
    return chrome.has(name) && !(name === 'header' && this.mainDepth > 0);
  }

  /** Cells are separated by bars and stay one block with their row; other blocks end the one before. */
  private separate(name: string, isClosing: boolean): void {
    if (name === 'td' || name === 'th') {
      if (!isClosing && this.inRow && this.text.length > 0) this.text.push(' | ');
    } else if (this.inRow && blocks.has(name) && !rowParts.has(name)) this.text.push(' ');
    else if (blocks.has(name) || chrome.has(name)) {
      this.flush();
      this.level = !isClosing && /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    }
  }

  private seeTitle(isClosing: boolean, from: number): void {
    if (isClosing) this.text = [];
    else if (this.title === '') {
      const start = this.html.slice(from, from + lookedAt);
      const close = start.indexOf('</');
      this.title = textOf([close < 0 ? start.slice(0, maxTitle) : start.slice(0, close)]).slice(0, maxTitle);
    }
  }

  private seeTable(isClosing: boolean): void {
    if (isClosing) this.openTables.pop();
    else {
      const table = { line: this.line, rows: 0, header: '' };
      this.openTables.push(table);
      this.tables.push(table);
    }
    this.inRow = false;
  }

  private seeLink(isClosing: boolean, tagText: string): void {
    if (!isClosing) {
      this.linkCount++;
      const to = this.links.length < maxLinks ? attributeIn(tagText, 'href') : '';
      this.link = to === '' ? undefined : { to, from: this.text.length };
    } else {
      this.takeLinkText();
      this.link = undefined;
    }
  }

  /** A link may stand around blocks, such as a card or a heading: it is called what the first of them says. */
  private takeLinkText(): void {
    if (!this.link) return;
    const text = textOf(this.text.slice(this.link.from)).slice(0, maxLinkText);
    if (text === '') this.link.from = 0;
    else {
      this.links.push({ text, to: this.link.to });
      this.link = undefined;
    }
  }

  private seeForm(isClosing: boolean, tagText: string): void {
    this.form = undefined;
    if (isClosing) return;
    const method = (attributeIn(tagText, 'method') || 'get').toUpperCase();
    const action = `${method} ${attributeIn(tagText, 'action')}`.trim();
    this.form = { line: this.line, action, fields: [] };
    this.forms.push(this.form);
  }

  private seeField(name: string, tagText: string): void {
    if (!this.form || this.form.fields.length >= maxFields) return;
    if (name === 'button') this.button = { from: this.text.length };
    else if (name === 'input' || name === 'select' || name === 'textarea') {
      const type = attributeIn(tagText, 'type');
      const field = attributeIn(tagText, 'name') || attributeIn(tagText, 'id');
      if (type === 'submit') this.form.fields.push(`[${attributeIn(tagText, 'value') || 'submit'}]`);
      else if (field !== '' && type !== 'hidden')
        this.form.fields.push(type === '' || type === 'text' ? field : `${field} (${type})`);
    }
  }

  private endButton(): void {
    if (!this.button) return;
    const text = textOf(this.text.slice(this.button.from)).slice(0, maxButtonText);
    if (text !== '') this.form?.fields.push(`[${text}]`);
    this.button = undefined;
  }

  /** Ends the block that is being read. */
  private flush(): void {
    this.takeLinkText();
    const text = textOf(this.text);
    this.text = [];
    if (this.button) this.button.from = 0;
    if (text === '') return;
    const table = this.openTables.at(-1);
    if (table && this.inRow) {
      table.rows++;
      if (table.header === '') table.header = text.slice(0, maxHeader);
    }
    const block = { level: this.level, text, line: this.startLine, isChrome: this.chromeDepth > 0 };
    this.all.push(block);
    if (this.mainDepth > 0) this.main.push(block);
  }

  private advance(to: number): void {
    for (; this.lineEnd < to; this.lineEnd = this.lineEndFrom(this.lineEnd + 1)) this.line++;
    this.at = to;
  }

  /** Where the line of a position ends. It is kept: a page on one line is read once, not once for each tag. */
  private lineEndFrom(at: number): number {
    const end = this.html.indexOf('\n', at);
    return end < 0 ? this.html.length : end;
  }
}

const textOf = (parts: readonly string[]): string =>
  decodeEntities(parts.join('').replace(/\s+/g, ' ')).trim();
