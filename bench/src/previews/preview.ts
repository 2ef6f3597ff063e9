import { loadCounter, previewOf, type CountTokens } from '@spillway/engine';
import { median, round, type BenchResult, type Row } from '../bench.js';
import { causeShown } from './cause-shown.js';
import { baselines } from './baselines.js';
import { makeLogs } from './faulty-runs/make-logs.js';
import { labelledFacts, type FactFile } from './labelled-facts.js';
import { hasLabelledOutputs, labelledLogs, outputsFolder } from './labelled-logs.js';

const room = { tokens: 600, headLines: 5, tailLines: 5 };
const seed = Number(process.env.SPILLWAY_SEED ?? 20_261_121);

interface Case {
  name: string;
  text: string;
  cause_text: string[];
}

/** Is the line that states the cause in the preview? On logs others labelled, on logs made here, and beside what others show. */
export async function preview(): Promise<BenchResult> {
  const count = await loadCounter('o200k');
  const complaints: string[] = [];
  const ours = (text: string): string => {
    const { text: shown } = previewOf(text, room, count);
    if (count(shown) > room.tokens) complaints.push(`a preview takes ${count(shown)} tokens`);
    return shown;
  };
  const isLabelled = hasLabelledOutputs();
  if (!isLabelled) console.log(`  no labelled outputs in ${outputsFolder}: only made logs are measured`);
  const labelled = isLabelled ? labelledLogs() : [];
  if (isLabelled && labelled.length < 83) complaints.push(`only ${labelled.length} labelled logs were read`);
  const made = await makeLogs(seed);
  if (made.length < 20) complaints.push(`only ${made.length} logs were made`);
  for (const { name, unsaid } of made)
    if (unsaid.length > 0) complaints.push(`${name} does not say ${unsaid.join(', ')}`);
  const previewSizes = [...labelled, ...made].map(({ text }) => count(ours(text)));
  const generated = made.map(({ name, text, cause }) => ({ name, text, cause_text: cause }));
  console.log(`  made logs with SPILLWAY_SEED=${seed}`);
  return {
    name: 'preview',
    about:
      'Is a line that states the cause of a failure in the preview? Measured on logs that people labelled and on logs of builds broken here on purpose, beside what other rules show. Then facts that other parsers found in outputs of other kinds.',
    complaints,
    rows: [
      ...(isLabelled ? logRows('labelled logs', labelled, ours, count, true) : []),
      ...logRows('made logs', generated, ours, count, !isLabelled),
      ...(isLabelled ? factRows(labelledFacts(), ours, count) : []),
      {
        what: 'tokens of a preview of a log, median / most',
        value: `${round(median(previewSizes), 0)} / ${round(Math.max(...previewSizes), 0)}`,
        against: `${round(median([...labelled, ...made].map(({ text }) => count(text))), 0)} of the log, median`,
        target: `<= ${room.tokens}`,
        reached: Math.max(...previewSizes) <= room.tokens,
      },
    ],
  };
}

function logRows(
  what: string,
  cases: readonly Case[],
  ours: (text: string) => string,
  count: CountTokens,
  isHeadline = false,
): Row[] {
  const share = (show: (text: string) => string, list?: string) => {
    const shown = cases.map((one) => ({ one, ...causeShown(show(one.text), one) }));
    const of = (n: number) => (100 * n) / cases.length;
    if (list)
      for (const { one, any } of shown)
        if (!any) console.log(`  ${list}: nothing of the cause of ${one.name}`);
    return { any: of(shown.filter((s) => s.any).length), all: of(shown.filter((s) => s.all).length) };
  };
  const mine = share(ours, what);
  const headline = `Failed builds whose preview of 600 tokens states the cause, ${cases.length} ${what}`;
  const heads = share((text) => baselines['first 3,000 tokens (AgentScope)']!(text, count));
  const againstHeads = `${round(heads.any, 0)} % in the first 3,000 tokens`;
  const row = (name: string, { any, all }: { any: number; all: number }, isOurs = false): Row => ({
    what: `${cases.length} ${what}: ${name}`,
    value: `${round(any, 0)} % with a cause line, ${round(all, 0)} % with all`,
    against: '',
    target: isOurs ? '>= 90 %, >= 75 %' : '',
    reached: isOurs ? any >= 90 && all >= 75 : null,
    ...(isOurs && isHeadline && { headline: { what: headline, against: againstHeads } }),
  });
  return [
    row('Spillway, 600 tokens', mine, true),
    ...Object.entries(baselines).map(([name, show]) =>
      row(
        name,
        share((text) => show(text, count)),
      ),
    ),
  ];
}

function factRows(files: readonly FactFile[], ours: (text: string) => string, count: CountTokens): Row[] {
  const kinds = [...new Set(files.map((file) => file.kind))];
  const shown = (show: (text: string) => string, of: readonly FactFile[]): string => {
    const facts = of.flatMap((file) => {
      const text = show(file.text);
      return file.facts.map((spellings) => spellings.some((spelling) => text.includes(spelling)));
    });
    return `${round((100 * facts.filter(Boolean).length) / facts.length, 0)} % of ${facts.length}`;
  };
  return kinds.map((kind) => {
    const of = files.filter((file) => file.kind === kind);
    const others = Object.entries(baselines)
      .slice(0, 3)
      .map(([name, show]) => `${name} ${shown((text) => show(text, count), of)}`);
    return {
      what: `facts in ${kind} outputs`,
      value: shown(ours, of),
      against: others.join('; '),
      target: '',
      reached: null,
    };
  });
}
