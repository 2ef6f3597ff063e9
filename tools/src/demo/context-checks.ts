import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '@spillway/client';
import type { Checks } from './checks.js';
import type { ThreadMessage } from './thread-file.js';
import { toolOrderFault } from './tool-order.js';

type Context = Schemas['Context'];

export interface Sent {
  context: Context;
  /** What was posted before the request. */
  posted: readonly ThreadMessage[];
  anythingOffloaded: boolean;
}

/** Checks a context against the API's promises, alone and together with the previous one. */
export function checkContext(checks: Checks, where: string, sent: Sent, before: Context | null): void {
  const { context, posted } = sent;
  const { total } = context.tokens;
  checks.expect('every context is within its budget', total <= context.budget.limit, () => {
    return `${where}: ${total} tokens, limit ${context.budget.limit}`;
  });

  const fault = toolOrderFault(context.messages);
  checks.expect(
    'tool results directly follow their calls, none unanswered',
    fault === null,
    () => `${where}: ${fault}`,
  );

  const repaired = context.parts.some((part) => part.kind === 'note');
  if (context.summary === null && !sent.anythingOffloaded && !context.degraded && !repaired) {
    const difference = firstDifference(context.messages, posted);
    checks.expect(
      'before compaction and offloading, a context is what was posted',
      difference === null,
      () => {
        return `${where}: differs at message ${difference}`;
      },
    );
  }

  if (before && !before.degraded && !context.degraded && sameSummary(before, context)) {
    const difference = firstDifference(before.messages, context.messages.slice(0, before.messages.length));
    checks.expect('between compactions, each context begins with the one before', difference === null, () => {
      return `${where}: differs at message ${difference}`;
    });
  }
}

function sameSummary(a: Context, b: Context): boolean {
  return a.summary?.generation === b.summary?.generation;
}

/** The index of the first difference of two lists, or null. */
export function firstDifference(a: readonly unknown[], b: readonly unknown[]): number | null {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    if (!isDeepStrictEqual(a[index], b[index])) return index;
  }
  return null;
}
