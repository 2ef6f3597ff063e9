import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { count, plural, short, usd } from '@/ui/quantity';
import classes from './money.module.css';

/** Tokens saved are not money saved: the sum, line by line, and what is not in it. */
export function Money({ usage }: { usage: Schemas['Usage'] }) {
  const { money, totals } = usage;
  const { saved_usd: saved, spent_usd: spent, net_usd: net, net_if_cached_usd: least } = money;
  return (
    <section className={classes.money} aria-labelledby="money">
      <h3 id="money">Net money saved</h3>
      {saved === null ? (
        <p className={classes.text}>
          No price set
          {money.models.length > 0 && <> for {plural(money.models.length, 'model')} of your threads</>}, so
          this is not known: {count(money.unpriced_tokens)} tokens were not sent.{' '}
          <Link href="/settings/models" className="inline" prefetch={false}>
            Set what your models cost
          </Link>
        </p>
      ) : (
        <>
          <dl className={classes.sum}>
            <div>
              <dt>Not sent, at the price of the thread’s model</dt>
              <dd className="num">{usd(saved)}</dd>
            </div>
            <div>
              <dt>Summaries</dt>
              <dd className="num">{spent === null ? 'no price set' : `−${usd(spent)}`}</dd>
            </div>
            <div className={classes.net}>
              <dt>Net</dt>
              <dd className="num">{net === null ? '—' : usd(net)}</dd>
            </div>
          </dl>
          <p className={classes.text}>
            {least === null
              ? 'With prompt caching it is less: set the price of cached input for a lower bound. '
              : `If the provider had read all of it from its cache: ${usd(least)}. `}
            A history counts up to its window at most.
            {money.unpriced_tokens > 0 && (
              <>
                {' '}
                Not in the sum: {short(money.unpriced_tokens)} tokens of threads whose model has{' '}
                <Link href="/settings/models" className="inline" prefetch={false}>
                  no price set
                </Link>
                .
              </>
            )}
            {totals.llm.unpriced_attempts > 0 && (
              <> {plural(totals.llm.unpriced_attempts, 'attempt')} asked a model without a price.</>
            )}
          </p>
        </>
      )}
    </section>
  );
}
