import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instructionsIn, kindOfSentence, loadCounter, sentencesIn } from '@spillway/engine';
import { hasTrajectories, loadSamples, loadTrajectories, type JsonMessage } from '@spillway/testing';
import { round, shareOf, type BenchResult, type Row } from '../bench.js';
import { OurThread, type Fold } from '../savings/our-thread.js';

const samples = fileURLToPath(new URL('../../../libs/engine/instruction-samples/', import.meta.url));
/** Labelled sentences: the weights were learnt from the first six. */
const learntFrom = ['tuned', 'checked', 'varied', 'plain', 'registers', 'domains'];
const unseen = ['varied-unseen', 'registers-unseen', 'domains-unseen'];
/** At least this share of instructions is kept, and at most this share of other sentences is taken for one. */
const least = 0.95;
const most = 0.05;
/** A prompt that a program wrote is full of instructions; a person says more than one thing after another. */
const fewestMessages = 5;

/** The thread that instructions are put into: of a service desk, folded more than 20 times after each place. */
const thread = 'desk-day';
const window = 8_000;
/** Where they stand, as shares of the thread; and after which of the folds that follow they are looked for. */
const places = [0, 0.2, 0.4] as const;
const folds = [1, 5, 20] as const;
/** A thread holds so many of them beside its own. */
const together = 5;
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
  rows.push(rowOfPeople('samples', loadSamples()));
  if (hasTrajectories()) rows.push(rowOfPeople('recorded threads', loadTrajectories()));
  rows.push(...(await rowsAfterFolds()));
  return {
    name: 'instructions',
    about:
      'Standing instructions among labelled sentences, one a message: how many are found, and how many of the other sentences are taken for one. The rules were written and the weights learnt with the halves in view that are not called unseen. Then sentences of people in threads, the real instructions among them included. Then instructions of the half varied-unseen, put into a thread of a service desk at three places, as messages of their own and after the words of a user, five at a time: how many stand word for word in the context after the folds that follow. One that is not found counts as lost, and so does one of which a part is lost.',
    rows,
    complaints: [],
  };
}

const read = (half: string, file: string): Sentence[] =>
  readFileSync(`${samples}${half}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence);

const foundIn = (text: string): string[] =>
  instructionsIn({ seq: 1, role: 'user', text, results: [] }).flatMap((found) =>
    found.kind === 'ending' ? [] : [found.text],
  );
const isTaken = (text: string): boolean => foundIn(text).length > 0;

/** Whether a context shows all that is an instruction in these words. */
const isShown = (words: string, shown: string): boolean =>
  isTaken(words) && foundIn(words).every((text) => shown.includes(flat(text)));

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
    reached: found >= least * wanted.length && taken <= most * others.length,
    guarded: { found: shareOf(found / wanted.length), left: shareOf(1 - taken / others.length) },
  };
}

function rowOfPeople(what: string, threads: readonly { messages: readonly JsonMessage[] }[]): Row {
  const sentences = new Map(
    threads
      .map(({ messages }) => [
        ...new Set(
          messages.flatMap(({ role, content }) =>
            role === 'user' && typeof content === 'string' ? [content] : [],
          ),
        ),
      ])
      .filter((texts) => texts.length >= fewestMessages)
      .flat()
      .flatMap((text) => sentencesIn(text))
      .map((sentence) => [sentence.text, sentence]),
  );
  const taken = [...sentences.values()].filter(
    ({ text, isRule }) => kindOfSentence(text, isRule) !== null,
  ).length;
  return {
    what: `sentences of people in ${what}: taken for an instruction`,
    value: percent(taken, sentences.size),
    against: 'real instructions among them included',
    target: '<= 5 %',
    reached: taken <= most * sentences.size,
    guarded: { left: shareOf(1 - taken / sentences.size) },
  };
}

interface Kept {
  all: number;
  kept: number;
}

async function rowsAfterFolds(): Promise<Row[]> {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const sample = loadSamples().find(({ name }) => name === thread);
  if (!sample) throw new Error(`Instructions are put into ${thread}, which is no sample.`);
  const wanted = read('varied-unseen', 'instructions.jsonl').map(({ text }) => text);
  const rows: Row[] = [];
  for (const [framing, write] of Object.entries(framings))
    for (const place of places) {
      const counts = new Map<number, Kept>(folds.map((n) => [n, { all: 0, kept: 0 }]));
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
          count.kept += some.filter((one) => isShown(one, shown)).length;
        };
        const ours = new OurThread({}, window, counter, { onFold });
        for (const message of messages) await ours.post(message);
      }
      const all = [...counts].filter(([, count]) => count.all > 0);
      rows.push({
        what: `${window / 1000} k: in the context, said ${framing} at ${round(place * 100, 0)} % of ${thread}`,
        value: all.map(([n, { kept, all }]) => `after fold ${n} ${percent(kept, all)}`).join(', '),
        against: '',
        target: '>= 95 %',
        reached: all.every(([, { kept, all }]) => kept >= least * all),
        guarded: Object.fromEntries(
          all.map(([n, { kept, all }]) => [`after fold ${n}`, shareOf(kept / all)]),
        ),
      });
    }
  return rows;
}

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
