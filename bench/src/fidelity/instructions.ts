import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instructionsIn, kindOfSentence, loadCounter, sentencesIn } from '@spillway/engine';
import { hasTrajectories, loadSamples, loadTrajectories, type JsonMessage } from '@spillway/testing';
import { round, shareOf, type BenchResult, type Row } from '../bench.js';
import { OurThread, type Fold } from '../savings/our-thread.js';

const samples = fileURLToPath(new URL('../../../libs/engine/instruction-samples/', import.meta.url));
/** Halves of labelled sentences that the weights were learnt from, and halves that measure alone. */
const learntFrom = ['tuned', 'checked', 'varied', 'plain', 'registers', 'domains', 'voices', 'languages'];
const unseen = [
  'varied-unseen',
  'registers-unseen',
  'domains-unseen',
  'languages-unseen',
  'languages-plain-unseen',
];
/** At least this share of instructions is kept, and at most this share of other sentences is taken for one. */
const minKept = 0.95;
const maxTaken = 0.05;
/** A prompt that a program wrote is full of instructions; a person says more than one thing after another. */
const minMessages = 5;

/** The thread that instructions are put into: of a service desk, folded more than 20 times after each place. */
const thread = 'desk-day';
const window = 8_000;
/** Where they stand, as shares of the thread; and after which of the folds that follow they are looked for. */
const places = [0, 0.2, 0.4] as const;
const folds = [1, 5, 20] as const;
/** A thread holds so many of them beside its own. */
const together = 5;
/** Halves whose instructions are put into the thread, and every how many-th of them: all would take five minutes. */
const putIn = [
  { half: 'varied-unseen', every: 1 },
  { half: 'registers-unseen', every: 1 },
  { half: 'domains-unseen', every: 4 },
];
const framings = {
  alone: (instruction: string, _userText: string) => instruction,
  'after other words': (instruction: string, userText: string) => `${userText}\n\n${instruction}`,
} as const;

interface Sentence {
  text: string;
  why?: string;
}

/**
 * Standing instructions: are they found, is nothing else taken for one, and are they still in the context after many
 * folds? In this process, on the real engine with extractive summaries.
 */
export async function instructions(): Promise<BenchResult> {
  const rows: Row[] = [...learntFrom, ...unseen].map(rowOfHalf);
  rows.push(...unseen.map(rowOfPossible));
  rows.push(...rowsOfPeople('samples', loadSamples()));
  if (hasTrajectories()) rows.push(...rowsOfPeople('recorded threads', loadTrajectories()));
  for (const of of putIn) rows.push(...(await rowsAfterFolds(of)));
  return {
    name: 'instructions',
    about:
      'Standing instructions among labelled sentences, one a message: how many are found, and how many of the other sentences are taken for one. The rules were written and the weights learnt with the halves in view that are not called unseen; those of languages are in eleven languages other than English. Then those that are found or possible (shown as what may hold), and sentences of people in threads, the real instructions among them included. Then instructions of the unseen halves (of domains-unseen every fourth), put into a thread of a service desk at three places, as messages of their own and after the words of a user, five at a time: how many stand word for word in the context after the folds that follow, found or possible, beside those that are found. One that is neither counts as lost, and so does one of which a part is lost.',
    rows,
    complaints: [],
  };
}

const read = (half: string, file: string): Sentence[] =>
  readFileSync(`${samples}${half}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence);

const readIn = (text: string): { text: string; isPossible: boolean }[] =>
  instructionsIn({ seq: 1, role: 'user', name: null, speech: text }).flatMap(({ kind, text: words }) =>
    kind === 'ending' ? [] : [{ text: words, isPossible: kind === 'possible' }],
  );
const foundIn = (text: string): string[] =>
  readIn(text).flatMap(({ text: words, isPossible }) => (isPossible ? [] : [words]));
const isTaken = (text: string): boolean => foundIn(text).length > 0;
const isKept = (text: string): boolean => readIn(text).length > 0;

/** Whether a context shows all of these, of which there is one at least. */
const areShown = (texts: readonly string[], shown: string): boolean =>
  texts.length > 0 && texts.every((text) => shown.includes(flat(text)));

const percent = (n: number, of: number): string => `${round((100 * n) / of, 1)} % (${n} of ${of})`;

function rowOfHalf(half: string): Row {
  const wanted = read(half, 'instructions.jsonl');
  // What holds for the task in hand may be kept or not.
  const others = read(half, 'negatives.jsonl').filter(({ why }) => why !== 'task_constraint');
  const found = wanted.filter(({ text }) => isTaken(text)).length;
  const taken = others.filter(({ text }) => isTaken(text)).length;
  return {
    what: `labelled sentences, ${half}: found`,
    value: percent(found, wanted.length),
    against: `other sentences taken for one: ${percent(taken, others.length)}`,
    target: '>= 95 %, <= 5 %',
    reached: found >= minKept * wanted.length && taken <= maxTaken * others.length,
    guarded: { found: shareOf(found / wanted.length), left: shareOf(1 - taken / others.length) },
  };
}

function rowOfPossible(half: string): Row {
  const wanted = read(half, 'instructions.jsonl');
  const others = read(half, 'negatives.jsonl').filter(({ why }) => why !== 'task_constraint');
  const kept = wanted.filter(({ text }) => isKept(text)).length;
  const found = wanted.filter(({ text }) => isTaken(text)).length;
  const possible = others.filter(({ text }) => isKept(text) && !isTaken(text)).length;
  return {
    what: `labelled sentences, ${half}: found or possible`,
    value: percent(kept, wanted.length),
    against: `found ${percent(found, wanted.length)}; other sentences possible: ${percent(possible, others.length)}`,
    target: '>= 95 %',
    reached: kept >= minKept * wanted.length,
    guarded: { kept: shareOf(kept / wanted.length) },
  };
}

function rowsOfPeople(what: string, threads: readonly { messages: readonly JsonMessage[] }[]): Row[] {
  const spoken = threads
    .map(({ messages }) => [
      ...new Set(
        messages.flatMap(({ role, content }) =>
          role === 'user' && typeof content === 'string' ? [content] : [],
        ),
      ),
    ])
    .filter((texts) => texts.length >= minMessages);
  const sentences = new Map(
    spoken
      .flat()
      .flatMap((text) => sentencesIn(text))
      .map((sentence) => [sentence.text, sentence]),
  );
  const all = [...sentences.values()];
  const taken = all.filter(({ text, isRule }) => kindOfSentence(text, isRule) !== null).length;
  const possible = all.filter(({ text, isRule }) => !isRule && isKept(text) && !isTaken(text)).length;
  const perThread = spoken
    .map((texts) => texts.flatMap(readIn).filter(({ isPossible }) => isPossible).length)
    .sort((a, b) => a - b);
  return [
    {
      what: `sentences of people in ${what}: taken for an instruction`,
      value: percent(taken, sentences.size),
      against: 'real instructions among them included',
      target: '<= 5 %',
      reached: taken <= maxTaken * sentences.size,
      guarded: { left: shareOf(1 - taken / sentences.size) },
    },
    {
      what: `sentences of people in ${what}: possible`,
      value: percent(possible, sentences.size),
      against: `a thread has ${perThread[Math.floor(perThread.length / 2)]} (median) to ${perThread.at(-1)} (most of ${perThread.length} threads)`,
      target: '',
      reached: null,
      guarded: { left: shareOf(1 - possible / sentences.size) },
    },
  ];
}

interface Kept {
  all: number;
  /** Found, and in the context. */
  found: number;
  /** Found or possible, and in the context. */
  kept: number;
}

async function rowsAfterFolds({ half, every }: (typeof putIn)[number]): Promise<Row[]> {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const sample = loadSamples().find(({ name }) => name === thread);
  if (!sample) throw new Error(`Instructions are put into ${thread}, which is no sample.`);
  const wanted = read(half, 'instructions.jsonl')
    .filter((_, i) => i % every === 0)
    .map(({ text }) => text);
  const rows: Row[] = [];
  for (const [framing, write] of Object.entries(framings))
    for (const place of places) {
      const counts = new Map<number, Kept>(folds.map((n) => [n, { all: 0, found: 0, kept: 0 }]));
      for (let i = 0; i < wanted.length; i += together) {
        const some = wanted.slice(i, i + together);
        const { messages, through } = withInstructions(sample.messages, some, place, write);
        let n = 0;
        const onFold = ({ toSeq, text, verbatim }: Fold): void => {
          if (toSeq < through) return;
          n++;
          const count = counts.get(n);
          if (!count) return;
          const beside = verbatim.map((seq) => messages[seq - 1]?.content).filter(isText);
          const shown = flat([text, ...beside].join('\n'));
          count.all += some.length;
          count.found += some.filter((one) => areShown(foundIn(one), shown)).length;
          // Where one is found, what may hold beside it is no part of it.
          count.kept += some.filter((one) => {
            const found = foundIn(one);
            return areShown(found.length > 0 ? found : readIn(one).map((part) => part.text), shown);
          }).length;
        };
        const ours = new OurThread({}, window, counter, { onFold });
        for (const message of messages) {
          if (n >= folds.at(-1)!) break;
          await ours.post(message);
        }
      }
      rows.push(
        ...rowsOfCounts(
          [...counts].filter(([, { all }]) => all > 0),
          { half, framing, place },
        ),
      );
    }
  return rows;
}

function rowsOfCounts(
  counts: readonly (readonly [number, Kept])[],
  { half, framing, place }: { half: string; framing: string; place: number },
): Row[] {
  const where = `said ${framing} at ${round(place * 100, 0)} % of ${thread}`;
  const row = (what: string, number: 'found' | 'kept', against: string): Row => ({
    what: `${window / 1000} k: ${what}, ${where}`,
    value: listed(counts, number),
    against,
    target: '>= 95 %',
    reached: counts.every(([, count]) => count[number] >= minKept * count.all),
    guarded: Object.fromEntries(
      counts.map(([n, count]) => [`after fold ${n}`, shareOf(count[number] / count.all)]),
    ),
  });
  const kept = row(`${half}, found or possible in the context`, 'kept', `found: ${listed(counts, 'found')}`);
  // The half that was measured before anything was possible.
  return half === 'varied-unseen' ? [row('in the context', 'found', ''), kept] : [kept];
}

const listed = (counts: readonly (readonly [number, Kept])[], number: 'found' | 'kept'): string =>
  counts.map(([n, count]) => `after fold ${n} ${percent(count[number], count.all)}`).join(', ');

const isText = (content: unknown): content is string => typeof content === 'string';
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The thread with instructions in messages of their own or at the end of what users say, from a place on. */
function withInstructions(
  messages: readonly JsonMessage[],
  instructions: readonly string[],
  place: number,
  write: (instruction: string, userText: string) => string,
): { messages: JsonMessage[]; through: number } {
  const left = [...instructions];
  const written: JsonMessage[] = [];
  let through = 0;
  messages.forEach((message, i) => {
    const isSpeech = message.role === 'user' && typeof message.content === 'string';
    if (!isSpeech || i < place * messages.length || left.length === 0) {
      written.push(message);
      return;
    }
    const userText = message.content as string;
    const text = write(left.shift()!, userText);
    if (!text.includes(userText)) written.push({ role: 'user', content: text }, message);
    else written.push({ ...message, content: text });
    through = written.length;
  });
  return { messages: written, through };
}
