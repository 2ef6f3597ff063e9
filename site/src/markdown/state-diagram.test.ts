import { expect, test } from 'vitest';
import { transitionTable } from './state-diagram.js';

test('a state diagram is shown as a table of its transitions', () => {
  expect(transitionTable('stateDiagram-v2\n  [*] --> idle\n  idle --> due: asked for')).toBe(
    '| from | to | when |\n| --- | --- | --- |\n| (start) | `idle` |  |\n| `idle` | `due` | asked for |',
  );
});

test.each(['flowchart TD\n a --> b', 'stateDiagram-v2\n state x'])(
  'another diagram is refused: %s',
  (text) => {
    expect(() => transitionTable(text)).toThrow(/is not stateDiagram-v2|is no transition/);
  },
);
