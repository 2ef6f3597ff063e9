import { describe, expect, test } from 'vitest';
import {
  candidateOf,
  formats,
  loadCounter,
  noFloor,
  rankCandidates,
  searchableMessage,
  searchableText,
  searchTerms,
  showText,
  snippetOf,
  termWeights,
  type SearchedText,
} from '../index.js';

import { threadMs } from '../../../../test/thread-time.js';

const count = await loadCounter('o200k');

test('a query is words in any order, phrases in quotes, identifiers, and itself', () => {
  expect(searchTerms('  Disk "is full" /var/log ')).toEqual({
    whole: 'disk "is full" /var/log',
    terms: [
      { text: 'disk', kind: 'word', stem: 'disk' },
      { text: 'is full', kind: 'phrase', stem: 'is full' },
      { text: '/var/log', kind: 'identifier', stem: '/var/log' },
    ],
    isQuestion: false,
  });
});

test.each([
  ['Which Node version does `package.json` require?', ['node', 'version', 'package.json', 'require']],
  ["What is the model's name, word for word?", ['model', 'name', 'word']],
  ['(see ./src/a.ts:12, @scope/name and 100%)', ['see', './src/a.ts:12', '@scope/name', '100%']],
  ['to be or not', ['to', 'be', 'or', 'not']],
  ['=>', ['=>']],
])('%j is searched for as %j', (query, terms) => {
  expect(searchTerms(query).terms.map(({ text }) => text)).toEqual(terms);
});

test.each([
  ['Which file is it?', true],
  ['Besides jobs, which package is imported', true],
  ['Has the release been tagged', true],
  ['disk full', false],
  ['what', false],
])('%j is a question: %s', (query, isQuestion) => {
  expect(searchTerms(query).isQuestion).toBe(isQuestion);
});

const textsOf = (...texts: (string | Omit<SearchedText, 'seq'>)[]): SearchedText[] =>
  texts.map((one, i) => ({ seq: i + 1, ...(typeof one === 'string' ? { text: one } : one) }));

function ranked(query: string, texts: SearchedText[], all = texts.length) {
  const terms = searchTerms(query);
  const { hits } = rankCandidates(
    texts.map((text) => candidateOf(text, terms)),
    terms,
    { texts: all, floor: noFloor(terms) },
  );
  return hits.sort((a, b) => b.level - a.level || b.score - a.score || b.seq - a.seq);
}
const seqs = (query: string, ...texts: (string | Omit<SearchedText, 'seq'>)[]) =>
  ranked(query, textsOf(...texts)).map(({ seq }) => seq);

test('the whole query comes first, then all of its words; some of them only when nothing has all', () => {
  expect(seqs('disk full', 'the disk', 'full of it, a disk', 'Disk full!', 'nothing')).toEqual([3, 2]);
  expect(seqs('disk zeppelin', 'the disk', 'nothing', 'more disk')).toEqual([3, 1]);
});

test('hits of a question may lack some of its words, after those that have all', () => {
  expect(seqs('Which disk was full?', 'the disk', 'full was the disk', 'nothing')).toEqual([2, 1]);
});

test('an identifier is found where it stands for itself, not as a part of a longer one', () => {
  const texts = ['HAT2714 status status status', 'flight HAT271', 'the status of HAT2715'];
  expect(seqs('HAT271', ...texts)).toEqual([2]);
  expect(seqs('HAT271 status', ...texts)).toEqual([2, 1, 3]);
  expect(seqs('HAT27', ...texts)).toEqual([3, 2, 1]);
  expect(seqs('4.0', 'version 4.0.1', 'version 4.0.')).toEqual([2]);
  expect(seqs('src/a.ts', 'see src/a.ts:12', 'see src/a.tsx')).toEqual([1]);
});

test('a rare word weighs more than a common one, and a long text is no better for being long', () => {
  const filler = 'the build ran and the build passed. '.repeat(100);
  expect(seqs('build zeppelin crashed', filler, 'a zeppelin', 'build build build')[0]).toBe(2);
  expect(seqs('zeppelin', `${filler} zeppelin`, 'one zeppelin')).toEqual([2, 1]);
});

test('words are found in their other forms, and not inside of other words before those', () => {
  expect(seqs('packages', 'package', 'packaging', 'the imports')).toEqual([2, 1]);
  expect(seqs('art', 'start', 'art')).toEqual([2, 1]);
});

test('words far from each other in a long text are not all words together', () => {
  const far = `disk ${'filler '.repeat(600)} full`;
  const hits = ranked('disk full', textsOf(far, 'the disk'));
  expect(hits.map(({ level }) => level)).toEqual([0, 0]);
  expect(hits[0]!.seq).toBe(1);
});

test('a result is ranked with its call and stands for it', () => {
  const call = (id: string, text: string) => ({ text, calls: [{ id, text }] });
  const texts = textsOf(
    call('a', 'read_file\npath: libs/store/package.json'),
    { text: '{"build": "tsc -b"}', answers: ['a'] },
    call('b', 'read_file\npath: libs/jobs/package.json'),
    { text: '{"build": "tsc"}', answers: ['b'] },
  );
  expect(ranked('libs/store build', texts).map(({ seq, level }) => [seq, level])).toEqual([[2, 2]]);
  expect(ranked('jobs', texts).map(({ seq }) => seq)).toEqual([3]);
});

test('a snippet shows what was found, on one line, with marks where it was cut', () => {
  const text = `${'before '.repeat(60)}the\n\tNEEDLE is here${' after'.repeat(60)}`;
  const snippet = snippetOf(text, searchTerms('needle'), [1]);
  expect(snippet).toContain('the NEEDLE is here');
  expect(snippet).toMatch(/^\.\.\. .* \.\.\.$/);
  expect(snippet.length).toBeLessThan(320);
});

const shown = (text: string, query: string, tokens: number) => {
  const terms = searchTerms(query);
  return showText(text, tokens, { terms, weights: terms.terms.map(() => 1), count });
};

test('a short text is shown whole', () => {
  expect(shown('one\ntwo', 'two', 100)).toMatchObject({
    windows: [{ line: 1, text: 'one\ntwo' }],
    complete: true,
  });
});

test('a long text is shown by the windows that hold the terms, in its order, within the tokens', () => {
  const lines = Array.from({ length: 2_000 }, (_, i) => `line ${i} of the log`);
  lines[300] = 'cause: the disk is full';
  lines[1_500] = 'effect: the zeppelin crashed';
  const { windows, complete, tokens } = shown(lines.join('\n'), 'zeppelin disk', 200);
  expect(complete).toBe(false);
  expect(tokens).toBeLessThanOrEqual(200);
  expect(windows).toHaveLength(2);
  for (const [i, line] of [
    [0, 300],
    [1, 1_500],
  ] as const) {
    const { text, line: from } = windows[i]!;
    expect(text.split('\n')).toContain(lines[line]);
    expect(text.split('\n')).toEqual(lines.slice(from - 1, from - 1 + text.split('\n').length));
  }
});

test('a long text with little of what is searched for shows its end too', () => {
  const text = `${'a file\n'.repeat(2_000)}271 src/longest.ts\n`;
  const { windows, tokens } = shown(text, 'file over the limit asked', 100);
  expect(windows.at(-1)!.text).toContain('271 src/longest.ts');
  expect(windows.length).toBeGreaterThan(1);
  expect(tokens).toBeLessThanOrEqual(100);
});

test('one line of megabytes is shown by a window within the tokens', () => {
  const text = `[${Array.from({ length: 20_000 }, (_, i) => `{"id":"user${i}","ok":true}`).join(',')}]`;
  const { windows, tokens } = shown(text, 'user15500', 100);
  expect(windows[0]!.text).toContain('{"id":"user15500","ok":true}');
  expect(tokens).toBeLessThanOrEqual(100);
});

test('windows are letter by letter, whatever the letters', () => {
  const text = `${'İstanbul 😀 '.repeat(2_000)}NEEDLE${' 😀 ıI'.repeat(2_000)}`;
  const [window] = shown(text, 'needle', 60).windows;
  expect(window!.text).toContain('NEEDLE');
  expect(text).toContain(window!.text);
});

test('a rarer term is worth a window before a common one', () => {
  const terms = searchTerms('rare common');
  const text = `rare ${'x '.repeat(3_000)}${'common '.repeat(40)}`;
  const { windows } = showText(text, 40, { terms, weights: [5, 0.1], count });
  expect(windows[0]!.text).toContain('rare');
});

test('arguments of calls are read without their escapes', () => {
  const call = {
    id: 'c',
    type: 'function',
    function: { name: 'edit', arguments: '{"path":"a.ts","text":"say \\"hi\\""}' },
  };
  const message = formats.openai.read({ role: 'assistant', content: null, tool_calls: [call] });
  expect(searchableText(message)).toBe('edit\npath: a.ts\ntext: say "hi"');
  expect(searchableMessage(message).calls).toEqual([
    { id: 'c', name: 'edit', text: 'edit\npath: a.ts\ntext: say "hi"' },
  ]);
});

describe('arguments of calls', () => {
  const textOf = (input: string): string =>
    searchableText(
      formats.openai.read({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: input } }],
      }),
    );

  test('are searched with their numbers as they were written', () => {
    const text = textOf('{"order_id": 72057594037927111, "of": {"amounts": [10.50, -0, 1e400]}, "n": 7}');
    expect(text).toBe('pay\norder_id: 72057594037927111\n0: 10.50\n1: -0\n2: 1e400\nn: 7');
    expect(seqs('72057594037927111', 'order_id: 72057594037927110', text)).toEqual([2]);
  });

  test('are searched as they are where they nest deeper than the stack', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(textOf(deep)).toBe(`pay\n${deep}`);
  });
});

test('weights fall with the number of texts that hold a term', () => {
  const [rare, common] = termWeights({ texts: 100, length: 1, found: [1, 50], strict: [], minLevel: 0 });
  expect(rare).toBeGreaterThan(common! * 3);
});

/** What servers post that number the calls of each turn from the start. */
const turnsOf = (turns: number): SearchedText[] =>
  Array.from({ length: turns }, (_, i): SearchedText[] => [
    { seq: 2 * i + 1, text: 'read', calls: [{ id: 'call_0', text: `read /src/${i}.ts` }] },
    { seq: 2 * i + 2, text: 'disk quota', answers: ['call_0'] },
  ]).flat();

test('a result is ranked with the call before it, though later calls have the same id', () => {
  const terms = searchTerms('quota /src/3.ts');
  const candidates = turnsOf(5).map((text) => candidateOf(text, terms));
  for (const order of [candidates, candidates.toReversed()]) {
    const { hits } = rankCandidates(order, terms, { texts: 10, floor: noFloor(terms) });
    expect(hits.map(({ seq, level }) => [seq, level])).toEqual([[8, 2]]);
  }
});

test('ranking 40,000 texts whose calls have one id takes time in proportion', () => {
  const terms = searchTerms('quota read');
  const candidates = turnsOf(20_000).map((text) => candidateOf(text, terms));
  const started = threadMs();
  rankCandidates(candidates, terms, { texts: 40_000, floor: noFloor(terms) });
  expect(threadMs() - started).toBeLessThan(2_000);
});
