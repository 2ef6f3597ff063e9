import { loadCounter, previewOf, type CountTokens } from '@spillway/engine';
import { median, round, shareOf, type BenchResult, type Row } from '../bench.js';
import { causeShown } from './cause-shown.js';
import { baselines } from './baselines.js';
import { disguised, disguises, withoutJsonEscapes } from './disguises.js';
import { makeLogs } from './faulty-runs/make-logs.js';
import { halfOf, type Half } from './halves.js';
import { heldOutTexts, type HeldOutText } from './held-out/held-out.js';
import { labelledFacts, type FactFile } from './labelled-facts.js';
import { hasLabelledOutputs, labelledLogs, outputsFolder } from './labelled-logs.js';
import { makeText } from './odd-lines/odd-line.js';
import { oddLines } from './odd-lines/odd-lines.js';

const room = { tokens: 600, headLines: 5, tailLines: 5 };
const seed = Number(process.env.SPILLWAY_SEED ?? 20_261_121);

interface Case {
  name: string;
  text: string;
  cause_text: string[];
  /** Of JSON, which may spell the cause as JSON does. */
  isJson?: true;
}

/** Cases of one family, of which all are tuned or none is. */
type Family = Case & { family: string; isWhole?: boolean };

const halves: readonly Half[] = ['tuned', 'held back'];
/** At least such a share of the previews shows a line of the cause. */
const minAny = 95;
const minAll = 85;

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
  const generated = made.map(({ name, text, cause }) => ({ name, family: name, text, cause_text: cause }));
  const odd = oddLines.flatMap((family) =>
    makeText(family, seed).map(({ cause, ...text }) => ({ ...text, family: family.name, cause_text: cause })),
  );
  const heldOut = heldOutTexts(seed);
  const heldOutFamilies = heldOut.map(familyOf);
  for (const one of heldOutFamilies)
    if (!causeShown(withoutJsonEscapes(one.text), one).any)
      complaints.push(`${one.name} does not say its cause`);
  console.log(`  made logs with SPILLWAY_SEED=${seed}`);
  return {
    name: 'preview',
    about:
      'Is a line that states the cause of a failure in the preview? Measured on logs that people labelled and on logs of builds broken here on purpose, on texts of every kind with one odd line, and on outputs of other tools that no rule was written for, beside what other rules show. Disguised: the same with times, levels, names of pods and containers, syslog, columns, colours, a progress bar, or as JSON lines. Rules are tuned on one half of the families; the other is held back. Then facts that other parsers found in outputs of other kinds.',
    complaints,
    rows: [
      ...(isLabelled ? logRows('labelled logs', labelled, ours, count, true) : []),
      ...logRows('made logs', generated, ours, count, !isLabelled),
      ...halves.flatMap((half) => [
        ...familyRows(`made logs (${half})`, generated, half, ours, count),
        ...familyRows(`odd lines (${half})`, odd, half, ours, count),
        ...familyRows(`outputs of other tools (${half})`, heldOutFamilies, half, ours, count),
      ]),
      ...(isLabelled ? logRows('labelled logs, disguised', labelled.flatMap(inDisguise), ours, count) : []),
      ...(isLabelled ? factRows(labelledFacts(), ours, count) : []),
      ...factRows(heldOut.map(factFileOf), ours, count),
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

const familyOf = ({ name, text, cause, isJson, isWhole }: HeldOutText): Family => ({
  name,
  family: name,
  text,
  cause_text: cause,
  isWhole,
  ...(isJson && { isJson: true as const }),
});

/** Facts of outputs of other tools, by the half that each belongs to. */
const factFileOf = ({ name, text, facts }: HeldOutText): FactFile => ({
  name,
  kind: `other tools' (${halfOf(name)})`,
  text,
  facts: facts.map((spellings) => [...spellings]),
});

function logRows(
  what: string,
  cases: readonly Case[],
  ours: (text: string) => string,
  count: CountTokens,
  isHeadline = false,
): Row[] {
  const share = (show: (text: string) => string, list?: string) => {
    const shown = cases.map((one) => ({ one, ...causeShown(shownOf(show, one), one) }));
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
    target: isOurs ? target(what) : '',
    reached: isOurs ? any >= minAny && (!isPlainLabelled(what) || all >= minAll) : null,
    ...(isOurs && { guarded: { 'cause line': shareOf(any), 'all lines': shareOf(all) } }),
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

const isPlainLabelled = (what: string): boolean => what === 'labelled logs';
const target = (what: string): string =>
  isPlainLabelled(what) ? `>= ${minAny} %, >= ${minAll} %` : `>= ${minAny} %`;

const shownOf = (show: (text: string) => string, { text, isJson }: Case): string =>
  isJson ? withoutJsonEscapes(show(text)) : show(text);

/** A case in every disguise. */
const inDisguise = (one: Case): Case[] =>
  disguises.map((disguise) => ({
    name: `${one.name}, ${disguise.name}`,
    text: disguised(one.text, disguise, seed),
    cause_text: one.cause_text,
    ...(disguise.isJson && { isJson: true as const }),
  }));

/** One half of the families, plain and disguised. */
function familyRows(
  what: string,
  families: readonly Family[],
  half: Half,
  ours: (text: string) => string,
  count: CountTokens,
): Row[] {
  const cases = families.filter(({ family }) => halfOf(family) === half);
  const disguisable = cases.filter(({ isWhole }) => !isWhole);
  return [
    ...logRows(`${what}, plain`, cases, ours, count),
    ...logRows(`${what}, disguised`, disguisable.flatMap(inDisguise), ours, count),
  ];
}

/** Facts that previews of a kind show at least. */
const minFacts: Partial<Record<string, number>> = { html: 85, diff: 90 };

function factRows(files: readonly FactFile[], ours: (text: string) => string, count: CountTokens): Row[] {
  const kinds = [...new Set(files.map((file) => file.kind))];
  const hits = (show: (text: string) => string, of: readonly FactFile[]): boolean[] =>
    of.flatMap((file) => {
      const text = show(file.text);
      return file.facts.map((spellings) => spellings.some((spelling) => text.includes(spelling)));
    });
  const share = (show: (text: string) => string, of: readonly FactFile[]): number => {
    const all = hits(show, of);
    return (100 * all.filter(Boolean).length) / all.length;
  };
  const shown = (show: (text: string) => string, of: readonly FactFile[]): string =>
    `${round(share(show, of), 0)} % of ${hits(show, of).length}`;
  return kinds.map((kind) => {
    const of = files.filter((file) => file.kind === kind);
    const others = Object.entries(baselines)
      .slice(0, 3)
      .map(([name, show]) => `${name} ${shown((text) => show(text, count), of)}`);
    return {
      what: `facts in ${kind} outputs`,
      value: shown(ours, of),
      against: others.join('; '),
      target: minFacts[kind] === undefined ? '' : `>= ${minFacts[kind]} %`,
      reached: minFacts[kind] === undefined ? null : share(ours, of) >= minFacts[kind],
      guarded: { share: shareOf(share(ours, of)) },
    };
  });
}
