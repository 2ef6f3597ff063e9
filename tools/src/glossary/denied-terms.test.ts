import { expect, test } from 'vitest';
import { deniedTerms, findInCode, findInMarkdown } from './denied-terms.js';

const glossary = `# Glossary

\`a code span\` in a text is not a denied term.

| term  | meaning       | not                    |
| ----- | ------------- | ---------------------- |
| layer | \`of\` code     | \`floor\`, \`ground floor\` |
| lease | A right.      |                        |
`;
const terms = ['floor', 'can not'];

test('the denied terms are the code spans of the last column', () => {
  expect(deniedTerms(glossary)).toEqual(['floor', 'ground floor']);
});

test('terms are found in prose, whatever their case, also when they are broken over lines', () => {
  const text = 'The Floor.\n\nIt can\nnot, and the floors of the first-floor are other words.';
  expect(findInMarkdown(text, terms)).toEqual([
    { line: 1, term: 'floor' },
    { line: 3, term: 'can not' },
  ]);
});

test('code and names of tests in a document are left alone', () => {
  const text = 'Use `floor`.\n```\nMath.floor(1)\n```\n[a floor](../test/floor.test.ts), a [floor](floor.md)';
  expect(findInMarkdown(text, terms)).toEqual([{ line: 5, term: 'floor' }]);
});

const code = `/** The floor.
 * It can
 * not. */
const floor = Math.floor(1); // a floor
throw new Error(\`no \${floor} floor\`);
const view = <p>On this floor {/* the floor */}</p>;
`;

test('of code the comments are read, and not the identifiers', () => {
  expect(findInCode('a.tsx', code, terms, { strings: false })).toEqual([
    { line: 1, term: 'floor' },
    { line: 2, term: 'can not' },
    { line: 4, term: 'floor' },
    { line: 6, term: 'floor' },
  ]);
});

test('with strings, templates and JSX texts are read as well', () => {
  const lines = findInCode('a.tsx', code, ['floor'], { strings: true }).map(({ line }) => line);
  expect(lines).toEqual([1, 4, 5, 6, 6]);
});
