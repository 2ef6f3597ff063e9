import type { ScriptedModel } from '@spillway/testing';

/** A model that lists the orders with a tool, and says which of those that it is shown is damaged. */
export const damagedOrderModel =
  (tool: string): ScriptedModel =>
  ({ results }) =>
    results.length === 0
      ? { calls: [{ name: tool, args: {} }] }
      : { text: `It is ${/order-\d+ damaged/.exec(results[0]!)?.[0]}.` };
