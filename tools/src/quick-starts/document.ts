import { dirname, relative } from 'node:path/posix';
import { satisfies } from 'semver';
import { oldMajor } from './old-node.js';
import type { Start } from './starts.js';
import type { Measured } from './try-start.js';

export const quickStartsPage = 'docs/quick-starts/README.md';
export const picturesFolder = 'docs/quick-starts/pictures';

const head = `# Quick starts

From an empty folder to the thread in the console, as a user types it. \`npm start\` prints the address and the key of
a service; [Put it behind your agent](../agents.md) says what each way does.
`;

const method = `\`npm run quick-starts -- --write\` takes each install line and program from the page that is linked, word for word. It
packs the packages of Spillway as npm publishes them, installs everything into an empty folder with an empty cache,
runs the command of the page, reads the thread back by the API, and opens it in the console in Chromium. Service, SDKs and browser
are real; the model is a stub of its provider that refuses what the provider refuses. It fails when a program ends
with an error, when its thread does not hold each message once, or when lines that claim to be TypeScript have type
errors. \`npm run nightly\` runs it too.
`;

/** Where it was measured. */
export interface Machine {
  cores: number;
  /** The Node.js that installs and runs, and the oldest that the packages promise to run on. */
  node: string;
  oldNode: string;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** Returns the page as a run has it. */
export function quickStartsDocument(measured: readonly Measured[], machine: Machine): string {
  const columns = [
    'quick start',
    'lines',
    'of them Spillway',
    'install, s',
    `run, Node ${majorOf(machine.node)}, s`,
    `run, Node ${majorOf(machine.oldNode)}, s`,
    'console, s',
    'in all, s',
  ];
  return [
    head,
    '\n',
    row(columns),
    row(columns.map(() => '---')),
    ...measured.map((one) => row(cellsOf(one))),
    '\n',
    'Install: from an empty folder and an empty npm cache. Console: from opening the thread until its answer is seen. ',
    `In all: install, run on Node ${majorOf(machine.node)}, console. Lines without empty ones and comments; of Spillway `,
    'are those that name it, or the thread or session that it gave. ',
    'A dash: the program does not run on that Node. ',
    `${machine.cores} cores, Node ${machine.node} and ${machine.oldNode}.\n\n`,
    method,
    ...measured.map(sectionOf),
  ].join('');
}

/**
 * Returns a page with the row and the section of one quick start as it was measured now. A new one stands behind the one
 * that it follows in `order`. Throws when the page does not have that one.
 */
export function withQuickStart(page: string, measured: Measured, order: readonly Start[]): string {
  const at = order.findIndex(({ name }) => name === measured.start.name);
  const before = order[at - 1];
  const [table, ...sections] = page.split(/\n(?=## )/);
  const lines = table!.split('\n');
  const rowOf = (start: Start) => lines.findIndex((line) => line.startsWith(`| [${start.title}](`));
  const sectionAt = ({ title }: Start) => sections.findIndex((text) => text.startsWith(`## ${title}\n`));
  const put = (list: string[], place: (start: Start) => number, text: string) => {
    const own = place(measured.start);
    const next = before === undefined ? 0 : place(before) + 1;
    if (own < 0 && next === 0)
      throw new Error('The page lacks the quick start before it: write all of them.');
    list.splice(own < 0 ? next : own, own < 0 ? 0 : 1, text);
  };
  put(lines, rowOf, row(cellsOf(measured)).trimEnd());
  put(sections, sectionAt, sectionOf(measured).trimStart());
  return [lines.join('\n'), ...sections.map((text) => text.trimEnd() + '\n')].join('\n');
}

const majorOf = (version: string): string => version.split('.')[0]!;
/** A program that does not run on a Node.js has no time there. */
const seconds = (value: number | undefined): string => value?.toFixed(1) ?? '—';

function cellsOf({ start, lines, installSeconds, runSeconds, consoleSeconds }: Measured): string[] {
  const total = installSeconds + runSeconds[0]! + consoleSeconds;
  return [
    `[${start.title}](${linkTo(start)})`,
    `${lines.all}`,
    `${lines.ofSpillway}`,
    ...[installSeconds, runSeconds[0], runSeconds[1], consoleSeconds, total].map(seconds),
  ];
}

function sectionOf({ start, packages, steps, isWhole }: Measured): string {
  const versions = packages.map(({ name, version }) => `\`${name}\` ${version}`).join(', ');
  const demanding = packages.filter(({ node }) => node !== null && !satisfies(`${oldMajor}.99.0`, node));
  const asks = demanding.map(({ name, node }) => `\`${name}\` asks for Node ${node}.`).join(' ');
  return [
    `\n## ${start.title}\n\n`,
    `[Install and lines](${linkTo(start)}). Installed: ${versions}. ${asks}\n\n`,
    ...(isWhole
      ? []
      : ['The program records its own instructions too, so the picture shows the end of the thread.\n\n']),
    `![${isWhole ? `The thread in the console: ${steps.join(', ')}` : 'The end of the thread in the console'}](pictures/${pictureOf(start)})\n`,
  ].join('');
}

/** The picture of a quick start, in the folder of pictures: of one of our packages, or of another base URL alone. */
export const pictureOf = ({ name, page }: Start): string =>
  `${page.startsWith('libs/') ? 'packages' : 'base-urls'}/${name}.png`;

/** The link from the page to the heading. */
function linkTo({ page, heading }: Measured['start']): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
  return `${relative(dirname(quickStartsPage), page)}#${anchor}`;
}
