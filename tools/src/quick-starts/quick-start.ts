/** The quick start that a page shows: what is typed into a shell, and the program or the settings of one. */
export interface QuickStart {
  install: string;
  code: string;
  /** The file in which the page has the lines saved, in the user's home after `~/`, and the command that it has typed then. */
  file: string;
  command: string;
  /** The page says that the lines are TypeScript too. */
  isTypeScript: boolean;
}

interface Section {
  title: string;
  text: string;
  blocks: { language: string; text: string }[];
}

/**
 * Returns the quick start under a heading of a page, up to the next heading: its `sh` block and its block of code or
 * settings, word for word, and what the sentence about them says, which may be before the heading, for several. Throws when one
 * of them is missing, or when there are several blocks.
 */
export function quickStartOf(markdown: string, heading: string): QuickStart {
  const sections = sectionsOf(markdown);
  const found = sections.filter(({ title }) => title === heading);
  if (found.length !== 1) throw new Error(`${found.length} headings "${heading}" instead of one`);
  const only = (...languages: string[]): string => {
    const blocks = found[0]!.blocks.filter(({ language }) => languages.includes(language));
    if (blocks.length !== 1)
      throw new Error(
        `${blocks.length} blocks of ${languages.join(' or ')} under "${heading}" instead of one`,
      );
    return blocks[0]!.text;
  };
  const [install, code] = [only('sh'), only('js', 'ts', 'json', 'toml', 'dotenv')];
  const saved = /Save (?:it|the lines) as `([^`]+)`.*? run `([^`]+)`.*/;
  const sentence = sections
    .slice(0, sections.indexOf(found[0]!) + 1)
    .map(({ text }) => saved.exec(text))
    .findLast((match) => match !== null);
  if (!sentence) throw new Error(`Nothing before or under "${heading}" says "Save it as ... run ..."`);
  const [text, file, command] = sentence;
  return {
    install,
    code,
    file: file!,
    command: command!,
    isTypeScript: text.includes('TypeScript as well'),
  };
}

/** The sections of a page with their fenced blocks. A line inside a block is no heading. */
function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  let open: { language: string; lines: string[] } | null = null;
  for (const line of markdown.split('\n')) {
    const fence = /^```(\w*)/.exec(line);
    if (open && fence) {
      sections.at(-1)?.blocks.push({ language: open.language, text: `${open.lines.join('\n')}\n` });
      open = null;
    } else if (open) open.lines.push(line);
    else if (fence) open = { language: fence[1]!, lines: [] };
    else {
      const heading = /^#+ (.*)$/.exec(line);
      if (heading) sections.push({ title: heading[1]!.trim(), text: '', blocks: [] });
      else if (sections.length > 0) sections.at(-1)!.text += `${line}\n`;
    }
  }
  if (open) throw new Error(`A block of ${open.language} is not closed`);
  return sections;
}

export interface LineCount {
  /** Without empty lines and comments. */
  all: number;
  /** Those of them that name Spillway, or the thread or session that it gave. */
  ofSpillway: number;
}

export function countLines(code: string): LineCount {
  const lines = code.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line));
  return {
    all: lines.length,
    ofSpillway: lines.filter((line) => /spillway|thread|session/i.test(line)).length,
  };
}
