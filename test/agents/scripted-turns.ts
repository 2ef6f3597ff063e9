import type { ScriptedModel, ScriptedReply } from '@spillway/testing';

/** Steps of one turn: the last is the answer to the user, all others call tools. */
export const stepsOfTurn = 22;
export const turns = 3;

/** What the model looks for in the outputs of step `n`, and how it asks for it. */
export const needles = {
  run_suite: (n: number) => `total-${n}.ts:42 expected ${n * 17} to equal ${n * 17 + 1}`,
  list_orders: (n: number) => `"id":"user${n}x2399","refund":${n * 31 + 7}`,
};

const patterns = {
  run_suite: (n: number) => `total-${n}\\.ts:42`,
  list_orders: (n: number) => `user${n}x2399`,
};

/** A test run: some 1,200 lines, one of which matters. */
export function runSuite(n: number): string {
  const lines = Array.from(
    { length: 1_200 },
    (_, i) => `ok ${i} src/cart/line-${(i * 7919 + n) % 997}.test.ts > keeps its sum (${(i * 31) % 90} ms)`,
  );
  lines.splice(700, 0, `at ${needles.run_suite(n)}`);
  return lines.join('\n');
}

/** A table of orders, as tools return them: an object, which is one line of JSON on the wire. */
export function listOrders(n: number): { orders: object[] } {
  const order = (i: number) => ({
    id: `user${n}x${i}`,
    refund: (i * 13 + n) % 500,
    state: 'shipped',
    note: 'left at the door',
  });
  return {
    orders: Array.from({ length: 2_400 }, (_, i) =>
      i === 2_399
        ? { id: `user${n}x2399`, refund: n * 31 + 7, state: 'returned', note: 'damaged' }
        : order(i),
    ),
  };
}

export interface Search {
  tool: keyof typeof needles;
  n: number;
  output_id: string;
  pattern: string;
}

const outputId = /out_[0-9a-f]{32}/;

/** An agent's model over three turns: big parallel results, then searches in what was stored of them. */
export function scriptedModel(): ScriptedModel {
  return ({ results, step }): ScriptedReply => {
    const position = step % stepsOfTurn;
    if (position === stepsOfTurn - 1) return { text: `Turn ${Math.floor(step / stepsOfTurn) + 1} is done.` };
    switch (position % 4) {
      case 0:
        return {
          calls: [
            { name: 'run_suite', args: { n: step } },
            { name: 'list_orders', args: { n: step } },
          ],
        };
      case 1:
        return { calls: results.slice(-2).flatMap((text, i) => searchIn(text, step - 1, i)) };
      case 2:
        return { calls: [{ name: 'note', args: { n: step } }] };
      default:
        return { text: 'One more look at the suite.', calls: [{ name: 'note', args: { n: step } }] };
    }
  };
}

function searchIn(stub: string, n: number, i: number) {
  const tool = (['run_suite', 'list_orders'] as const)[i]!;
  const output_id = outputId.exec(stub)?.[0] ?? 'none';
  return [{ name: 'grep_output', args: { tool, n, output_id, pattern: patterns[tool](n) } }];
}

/** Searches that a whole run makes. */
export const searchesOfRun =
  turns * 2 * Array.from({ length: stepsOfTurn - 1 }, (_, i) => i).filter((i) => i % 4 === 1).length;
