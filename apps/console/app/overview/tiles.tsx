import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { bytes, count, percent, plural, short, usd } from '@/ui/quantity';
import { ranges, type Range } from './range';
import { Tile } from './tile';
import classes from './tile.module.css';

type Usage = Schemas['Usage'];
type Bucket = Schemas['UsageBucket'];

/** Six numbers of the range: what came in, what was saved, what was done, what it cost, what went wrong. */
export function Tiles({ usage, range }: { usage: Usage; range: Range }) {
  const { totals, series } = usage;
  const { compactions, outputs } = totals;
  const trend = (of: (bucket: Bucket) => number): number[] => series.map(of);
  const failures = failuresOf(totals);
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
        note={<Cost totals={totals} />}
        trend={trend((bucket) => bucket.llm.cost_usd ?? bucket.llm.input_tokens + bucket.llm.output_tokens)}
      />
      <Tile
        name="Failures"
        value={short(failures)}
        exact={count(failures)}
        note={`${count(compactions.failed)} compactions, ${plural(totals.server_errors, 'server error')}, ${plural(totals.contexts_degraded, 'degraded context')}`}
        trend={trend(failuresOf)}
        tone={failures > 0 ? 'bad' : 'plain'}
        href="/jobs?tab=failed"
      />
    </dl>
  );
}

const failuresOf = (n: Usage['totals']): number =>
  n.compactions.failed + n.server_errors + n.contexts_degraded;

function Cost({ totals: { llm } }: { totals: Usage['totals'] }) {
  if (llm.attempts === 0) return 'no model was asked';
  const tokens = `${short(llm.input_tokens + llm.output_tokens)} tokens`;
  if (llm.unpriced_attempts === 0) return tokens;
  return (
    <>
      {tokens};{' '}
      {llm.cost_usd === null ? 'no price set' : `${plural(llm.unpriced_attempts, 'attempt')} without a price`}
      {': '}
      <Link href="/settings/models" className="inline" prefetch={false}>
        set one
      </Link>
    </>
  );
}
