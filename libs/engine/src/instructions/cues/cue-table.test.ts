import { expect, test } from 'vitest';
import { nameOfCue, type OnCue } from './cue.js';
import { CueTable } from './cue-table.js';
import { cuesOf, eachCue, eachCueOfWord, verdictCues } from './cues-of.js';
import { readWeights } from './read-weights.js';
import { evidenceOf, highestScore, scoreOf } from './score.js';
import { weightsByCue } from './weights.js';

const names = readWeights(weightsByCue).map(({ name }) => name);

test('each known cue is found where it is in the list: no two have one hash', () => {
  const table = new CueTable(names);
  expect(names.filter((name, place) => table.placeOf('', name) !== place)).toEqual([]);
});

test('a cue in parts is the cue of its name, and an unknown one is nowhere', () => {
  const table = new CueTable(['clause:we', 'pair:we_use', 'f:i_past_moment_']);
  expect(table.placeOf('clause:', 'we')).toBe(0);
  expect(table.placeOf('pair:', 'we', 'use')).toBe(1);
  expect(table.placeOf('f:', 'i', 'past', 'moment', '')).toBe(2);
  expect(table.placeOf('f:', 'i', 'past', 'moment')).toBe(-1);
  expect(table.placeOf('pair:', 'use', 'we')).toBe(-1);
});

test('what is learnt from a sentence is what it is judged by', () => {
  const sentence = 'We use tabs here, and never spaces.';
  const seen = new Set<string>();
  const onCue: OnCue = (...cue) => seen.add(nameOfCue(...cue));
  eachCue(sentence, onCue, (word) => eachCueOfWord(word, onCue));
  const learnt = cuesOf(sentence);
  expect([...learnt].filter((cue) => !seen.has(cue)).length).toBe(3);
  expect(learnt).toContain('pair:use_tabs');
  expect(learnt).toContain('rules');
});

test('a word that was seen before counts as one that was not', () => {
  const first = evidenceOf('Never push quixotically to main.');
  expect(evidenceOf('Never push quixotically to main.')).toEqual(first);
  expect(first.known).toBe(
    [...cuesOf('Never push quixotically to main.')].filter((cue) => names.includes(cue)).length -
      verdictCues({ byRules: 'prohibition', ruledOut: null }).filter((cue) => names.includes(cue)).length,
  );
});

test.each([
  'The build is red again.',
  'Never push to main.',
  'Thanks!',
  'Could you always answer in French?',
])('no verdict scores more than the highest score of "%s"', (sentence) => {
  const evidence = evidenceOf(sentence);
  const kinds = [null, 'prohibition', 'permission', 'preference', 'procedure', 'format', 'limit'] as const;
  const reasons = [null, 'hearsay', 'report', 'courtesy', 'one-thing', 'own-plan'] as const;
  const scores = kinds.flatMap((byRules) =>
    reasons.map((ruledOut) => scoreOf(evidence, { byRules, ruledOut })),
  );
  expect(Math.max(...scores)).toBeLessThanOrEqual(highestScore(evidence));
  expect(new Set(scores).size).toBeGreaterThan(1);
});
