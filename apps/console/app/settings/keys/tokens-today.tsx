import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';
import classes from '../settings.module.css';

/** What model calls took with a key today, and of how many. */
export function TokensToday({ of }: { of: Schemas['Key'] }) {
  const { chat_tokens_today: tokens, max_chat_tokens_per_day: budget } = of;
  if (budget === null) return tokens === 0 ? <span className="dim">—</span> : count(tokens);
  const words = `${count(tokens)} of ${count(budget)}`;
  if (tokens < budget || budget === 0) return words;
  return (
    <>
      {words}{' '}
      <span className={classes.chip} data-tone="bad">
        spent
      </span>
    </>
  );
}
