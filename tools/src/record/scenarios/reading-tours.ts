import { assistant, bash, read, type Scenario, type Story, user } from '../scenario.js';
import { systemPrompt } from './system-prompt.js';

interface Tour {
  ask: string;
  /** Prints the paths to read, one a line. */
  list: string;
  atOnce: number;
  /** Stops after this many characters of files. */
  characters: number;
  /** Turn by the user after every so many steps; a tour without them is one long turn. */
  asides?: string[];
}

/** Reads file after file and says of each what its own text shows. */
function* tour({ ask, list, atOnce, characters, asides = [] }: Tour): Story {
  yield user(ask);
  const [listed] = yield assistant('First the list of files.', bash(`${list} | xargs grep -LE '10[.]0|192[.]168|172[.]|/home/|/root|registry[.]'`));
  const paths = listed!.split('\n').filter((line) => /^[\w./-]+\.\w+$/.test(line));
  let seen = 0;
  let lines = 0;
  let steps = 0;
  for (let at = 0; at < paths.length && seen < characters; at += atOnce) {
    const some = paths.slice(at, at + atOnce);
    const texts = yield assistant(at === 0 ? null : `Next: ${some.join(', ')}.`, ...some.map((path) => read(path)));
    seen += texts.join('').length;
    lines += texts.join('\n').split('\n').length;
    yield assistant(some.map((path, i) => remark(path, texts[i]!)).join('\n'));
    steps++;
    const aside = steps % 6 === 0 ? asides[steps / 6 - 1] : undefined;
    yield user(aside ?? 'Go on.');
  }
  const [status] = yield assistant('Before the summary: did I change anything?', bash('git status --short | head -5'));
  yield assistant(
    `${lines.toLocaleString('en-US')} lines read, nothing changed (git status: ${status!.split('\n').length - 1} lines). Open: I ran none of the tests.`,
  );
} // prettier-ignore

/** What a file's own text says about it. */
function remark(path: string, text: string): string {
  const exported = [...text.matchAll(/export (?:async )?(?:function|const|class|interface|type) (\w+)/g)].map(([, name]) => name); // prettier-ignore
  const headings = [...text.matchAll(/^ *\d+ {2}#+ (.+)$/gm)].map(([, title]) => title);
  const longest = text
    .split('\n')
    .reduce((most, line, i, all) => (line.length > all[most]!.length ? i : most), 0);
  const holds = exported.length > 0 ? `exports ${exported.slice(0, 6).join(', ')}` : headings.length > 0 ? `is about ${headings.slice(0, 4).join('; ')}` : 'exports nothing'; // prettier-ignore
  return `- ${path}: ${text.split('\n').length} lines; it ${holds}. Its longest line is ${longest + 1}.`;
}

const reading = (name: string, format: Scenario['format'], of: Tour): Scenario => ({
  name,
  format,
  system: systemPrompt,
  faults: [],
  steps: () => tour(of),
});

/** Coding agents that read much: threads of many large results. */
export const readingTours: Scenario[] = [
  reading('engine-tour', 'anthropic', {
    ask: 'Read the engine (libs/engine/src, without its tests) and tell me for each file what it is for. Constraint for the whole session: change nothing, I have uncommitted work.',
    list: 'git ls-files libs/engine/src | grep -v test | grep -v samples | head -120',
    atOnce: 3,
    characters: 260_000,
    asides: [
      'Go on. Keep in mind that I want no opinion on style.',
      'Go on. Note for later: budget.ts is where I suspect an off-by-one.',
      'Go on, two more rounds at most per message from now on.',
    ],
  }),
  reading('statement-review', 'responses', {
    ask: 'We go through the SQL of the store, statement by statement. For each: what it exports. I decide later which ones get an index.',
    list: 'git ls-files libs/store/src/sql prisma/migrations',
    atOnce: 2,
    characters: 240_000,
    asides: ['Go on. Index candidates: say so when a file orders by created_at.', 'Go on. No migrations before 0.2, remember that.'],
  }),
  reading('docs-against-code', 'ai-sdk', {
    ask: 'Compare the documents with the code. Read each document first; I want the list of their sections.',
    list: 'git ls-files docs README.md CONTRIBUTING.md PROMISES.md | grep md$',
    atOnce: 2,
    characters: 230_000,
  }),
]; // prettier-ignore
