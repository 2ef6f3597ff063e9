import { expect, test } from 'vitest';
import { build } from './conversations.js';
import { quickStartsDocument, withQuickStart } from './document.js';
import type { Measured } from './try-start.js';

const measured: Measured = {
  start: {
    name: 'one',
    title: 'One',
    page: 'docs/agents.md',
    heading: 'One SDK',
    provider: 'openai',
    conversation: build,
  },
  packages: [
    { name: 'one', version: '1.2.3', node: '>=22' },
    { name: 'two', version: '4.5.6', node: null },
  ],
  lines: { all: 12, ofSpillway: 3 },
  installSeconds: 10.04,
  runSeconds: [1.01, 2.02],
  consoleSeconds: 0.52,
  steps: ['question', 'answer'],
  isWhole: true,
};

test('has a row with the times and the sum, the versions, and what asks for a newer Node.js', () => {
  const text = quickStartsDocument([measured], { cores: 2, node: '24.1.0', oldNode: '20.2.0' });
  expect(text).toContain('| [One](../agents.md#one-sdk) | 12 | 3 | 10.0 | 1.0 | 2.0 | 0.5 | 11.6 |');
  expect(text).toContain('Installed: `one` 1.2.3, `two` 4.5.6. `one` asks for Node >=22.');
  expect(text).toContain('![The thread in the console: question, answer](pictures/base-urls/one.png)');
  expect(text).toContain('2 cores, Node 24.1.0 and 20.2.0.');
});

test('has a dash for a Node.js on which a program does not run, and says when a picture shows the end alone', () => {
  const one = { ...measured, runSeconds: [1.01], isWhole: false };
  const text = quickStartsDocument([one], { cores: 2, node: '24.1.0', oldNode: '20.2.0' });
  expect(text).toContain('| 12 | 3 | 10.0 | 1.0 | — | 0.5 | 11.6 |');
  expect(text).toContain('![The end of the thread in the console](pictures/base-urls/one.png)');
});

test('one that is tried alone changes its own row and section, or gets them behind the one before it', () => {
  const machine = { cores: 2, node: '24.1.0', oldNode: '20.2.0' };
  const [one, two, three] = ['One', 'Two', 'Three'].map((title): Measured => ({
    ...measured,
    start: { ...measured.start, name: title.toLowerCase(), title, heading: `${title} SDK` },
  })) as [Measured, Measured, Measured];
  const order = [one.start, two.start, three.start];
  const page = (...of: Measured[]) => quickStartsDocument(of, machine);
  const slower = { ...two, installSeconds: 20, steps: ['question', 'call', 'result', 'answer'] };
  expect(withQuickStart(page(one, two, three), slower, order)).toBe(page(one, slower, three));
  expect(withQuickStart(page(one, three), slower, order)).toBe(page(one, slower, three));
  expect(withQuickStart(page(one, two), three, order)).toBe(page(one, two, three));
  expect(() => withQuickStart(page(one), three, order)).toThrow('The page lacks the quick start before it');
});
