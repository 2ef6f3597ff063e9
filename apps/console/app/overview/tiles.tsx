import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { bytes, count, percent, plural, short, usd } from '@/ui/quantity';
import { ranges, type Range } from './range';
import { costTrend } from './money/cost-trend';
import { pricesPath } from './money/prices-path';
import { Tile } from './tile';
import classes from './tile.module.css';

type Usage = Schemas['Usage'];
type Bucket = Schemas['UsageBucket'];

/** Six numbers of the range: recorded, saved, compacted, cost, errors. */
export function Tiles({ usage, range }: { usage: Usage; range: Range }) {
  const { totals, series } = usage;
  const { compactions, outputs } = totals;
  const trend = (of: (bucket: Bucket) => number): number[] => series.map(of);
  return (
    <dl className={classes.tiles} aria-label={`Numbers of ${ranges[range].words}`}>
      <Tile
        name="Messages"
        value={short(totals.messages)}
        exact={count(totals.messages)}
        note={`${short(totals.tokens_recorded)} tokens recorded`}
        trend={trend((bucket) => bucket.messages)}
        href="/threads"
      />
      <Tile
        name="Tokens saved"
        value={short(totals.tokens_saved)}
        exact={count(totals.tokens_saved)}
        note={
          totals.contexts === 0
            ? 'no context was served'
            : `${percent(totals.tokens_saved / Math.max(1, totals.tokens_full))} of full histories, ${plural(totals.contexts, 'context')}`
        }
        trend={trend((bucket) => bucket.tokens_saved)}
      />
      <Tile
        name="Compactions"
        value={short(compactions.ok)}
        exact={count(compactions.ok)}
        note={compactions.failed === 0 ? 'none failed' : `${count(compactions.failed)} failed`}
        trend={trend((bucket) => bucket.compactions.ok)}
        href="/jobs?tab=done"
      />
      <Tile
        name="Outputs offloaded"
        value={short(outputs.count)}
        exact={count(outputs.count)}
        note={bytes(outputs.bytes)}
        trend={trend((bucket) => bucket.outputs.count)}
      />
      <Tile
        name="Cost of summaries"
        value={totals.llm.cost_usd === null ? '—' : usd(totals.llm.cost_usd)}
        note={<Cost usage={usage} />}
        trend={costTrend(series)}
      />
      <Tile
        name="Failed compactions"
        value={short(compactions.failed)}
        exact={count(compactions.failed)}
        note={`also ${plural(totals.server_errors, 'server error')}, ${plural(totals.contexts_degraded, 'degraded context')}`}
        trend={trend((bucket) => bucket.compactions.failed)}
        tone={compactions.failed > 0 ? 'bad' : 'plain'}
        href="/jobs?tab=failed"
      />
    </dl>
  );
}

function Cost({ usage: { totals, money } }: { usage: Usage }) {
  const { llm } = totals;
  if (llm.attempts === 0) return 'no model was asked';
  const tokens = `${short(llm.input_tokens + llm.output_tokens)} tokens`;
  if (llm.unpriced_attempts === 0) return tokens;
  return (
    <>
      {tokens}; {plural(llm.unpriced_attempts, 'attempt')} ran without a price
      {money.unpriced_models.length > 0 && (
        <>
          {': '}
          <Link href={pricesPath(money.unpriced_models)} className="inline" prefetch={false}>
            set one
          </Link>
        </>
      )}
    </>
  );
}
