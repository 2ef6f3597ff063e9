import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { count, plural, short, usd } from '@/ui/quantity';
import classes from './money.module.css';
import { MoneyByModel } from './money-by-model';
import { pricesPath } from './prices-path';
import { unpricedWords } from './unpriced-words';

/** Saved tokens are not saved money: the calculation, line by line, and what it leaves out. */
export function Money({ usage }: { usage: Schemas['Usage'] }) {
  const { money, totals } = usage;
  const { saved_usd: saved, spent_usd: spent, net_usd: net, net_if_cached_usd: least } = money;
  const { unpriced_models: unpriced } = money;
  const words = unpricedWords(totals.llm.unpriced_attempts, money.models);
  const unpricedNote = words !== null && `${words} `;
  return (
    <section className={classes.money} aria-labelledby="money">
      <h3 id="money">Net money saved</h3>
      {saved === null ? (
        <p className={classes.text}>
          {count(totals.tokens_saved)} tokens saved. Their price is unknown.{' '}
          {money.models.some(({ spent_usd: cost }) => cost) && unpricedNote}
          {unpriced.length > 0 && <SetPrices models={unpriced} />}
        </p>
      ) : (
        <>
          <dl className={classes.sum}>
            <div>
              <dt>Tokens saved, at the price of the thread’s model</dt>
              <dd className="num">{usd(saved)}</dd>
            </div>
            <div>
              <dt>Summaries of the same threads</dt>
              <dd className="num">{spent === null ? 'not known' : `−${usd(spent)}`}</dd>
            </div>
            <div className={classes.net}>
              <dt>Net</dt>
              <dd className="num">{net === null ? 'not known' : usd(net)}</dd>
            </div>
          </dl>
          <p className={classes.text}>
            {spent === null && 'A summary model has no price, so the net is unknown. '}
            {least !== null && `If the provider had read all of it from its cache: ${usd(least)}. `}
            {least === null && net !== null && 'Set the price of cached input for a lower bound. '}
            {money.unpriced_tokens > 0 && (
              <>Not in the sum: {short(money.unpriced_tokens)} tokens of threads whose model has no price. </>
            )}
            {unpricedNote}
            {unpriced.length > 0 && <SetPrices models={unpriced} />}
          </p>
        </>
      )}
      <MoneyByModel models={money.models} />
    </section>
  );
}

const SetPrices = ({ models }: { models: readonly string[] }) => (
  <Link href={pricesPath(models)} className="inline" prefetch={false}>
    Set the price of {models.length === 1 ? models[0] : plural(models.length, 'model')}
  </Link>
);
