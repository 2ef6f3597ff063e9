import { callsWithResults } from '../../messages/calls-with-results.js';
import { showsData } from '../../messages/reads-file.js';
import type { SeqMessage } from '../../messages/seq-message.js';
import { effectsIn } from '../effects.js';
import { clipAtWord } from '../../compaction/summary-line.js';
import { beginsAsError, failingLines } from './failing-lines.js';
import type { Item } from '../item.js';
import { leavesOpen, printedIn, statesFailure } from './outcome.js';
import { weights } from '../weights.js';

const { failure, fixedFailure, furtherLine } = weights.discovery;

/**
 * Lines of tool results that report a failure, with their words. Of one that the same call passed later a single line,
 * with when that was and what was changed in between.
 */
export function failuresOf(messages: readonly SeqMessage[]): Item[] {
  const calls = new Map(callsWithResults(messages).map(({ call, result }) => [result, call]));
  const effects = effectsIn(messages);
  const passedAt = new Map<string, number>();
  const newestFirst: Item[][] = [];
  for (const { seq, results } of [...messages].reverse()) {
    for (const result of results) {
      const { name, isError } = result;
      const text = printedIn(result.text);
      const call = calls.get(result);
      const run = call ? runOf(call) : null;
      const isNews = isError || !call || !showsData(call.name) || beginsAsError.test(text);
      const lines = isNews ? failingLines(text, isError) : [];
      if (lines.length === 0) {
        if (run && !statesFailure(result, call!) && !leavesOpen(result.text))
          passedAt.set(run.key + run.filters, seq);
        continue;
      }
      const prefix = name ?? call?.name ?? 'tool';
      const quotes = lines.map((line) => `${prefix}: ${clipAtWord(line, 180)}`);
      const fixed = run ? passAfter(run, passedAt) : undefined;
      newestFirst.push(
        fixed === undefined
          ? quotes.map((text, i) => ({ seq, text, weight: failure + i * furtherLine }))
          : [{ seq, text: `${quotes[0]} (${fixOf(effects, seq, fixed)})`, weight: fixedFailure }],
      );
    }
  }
  return newestFirst.reverse().flat();
}

/** Scripts begin alike and differ further down: arguments are compared up to here. */
const maxKeyChars = 8_000;

interface Run {
  /** The tool and its arguments, without the filters of its output: the same for a call that is made again. */
  key: string;
  /** The filters that its output was piped through and that may have hidden a failing line. */
  filters: string;
}

/** Filters that shorten or change an output. `tail` shows how a command ended. */
const filter = /(?<!\s)\s*(?:2>&1\s*)?\|\s*(head|tail|grep|sed|cut)\b[^"|&;]*/g;

function runOf({ name, input }: { name: string; input: string }): Run {
  const filters: string[] = [];
  const bare = input.slice(0, maxKeyChars).replace(filter, (text: string, program: string) => {
    if (program !== 'tail') filters.push(text.trim());
    return '';
  });
  return { key: `${name} ${bare.replace(/(?<!\s)\s*2>&1/g, '')}`, filters: filters.join(' ') };
}

/**
 * The first of the later runs that passed, of those that would have shown the failure: without a filter, or with the one
 * through which it was seen.
 */
function passAfter({ key, filters }: Run, passedAt: ReadonlyMap<string, number>): number | undefined {
  const seq = Math.min(passedAt.get(key) ?? Infinity, passedAt.get(key + filters) ?? Infinity);
  return seq === Infinity ? undefined : seq;
}

/** When the call passed, and the last things that were changed before it did. */
function fixOf(effects: readonly Item[], failedAt: number, passedAt: number): string {
  const between = effects.filter(({ seq }) => seq > failedAt && seq < passedAt).slice(-2);
  const changes = between.map(({ seq, text }) => `${clipAtWord(text, 70)} [${seq}]`);
  return [`passed at ${passedAt}`, ...(changes.length === 0 ? [] : [`after ${changes.join(', ')}`])].join(
    ' ',
  );
}
