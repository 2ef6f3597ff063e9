import { UsageError, type Call } from '../program/command.js';
import { textOf } from '../program/option-values.js';
import type { Key } from './read-keys.js';

const max = 1_000_000_000_000;

/** The budget that `--tokens-per-day` names, null for `none`. Undefined when it was not given. Throws `UsageError`. */
export function tokenBudgetOf(options: Call['options']): number | null | undefined {
  const text = textOf(options, 'tokens-per-day');
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const tokens = /^\d{1,13}$/.test(text) ? Number(text) : NaN;
  if (!(tokens <= max))
    throw new UsageError(
      `--tokens-per-day must be a whole number from 0 to ${max}, or none, not ${JSON.stringify(text)}.`,
    );
  return tokens;
}

/** As `1,234 of 5,000`; without a budget the tokens alone. */
export const tokensToday = ({ chat_tokens_today: tokens, max_chat_tokens_per_day: of }: Key): string =>
  [tokens, ...(of === null ? [] : [of])].map((n) => n.toLocaleString('en-US')).join(' of ');
