import type { Schemas } from '@spillway/client';
import type { ReactNode } from 'react';
import { count, percent, plural } from '@/ui/quantity';
import classes from './compact.module.css';

type Preview = Schemas['CompactionPreview'];

/** Cost and effect of a compaction before it runs. */
export function PreviewNumbers({ preview, cut }: { preview: Preview; cut: NonNullable<Preview['cut']> }) {
  const { summarizer, kept } = cut;
  const worth = cut.reclaimed_share >= cut.min_reclaim_ratio;
  return (
    <dl className={classes.numbers}>
      <Row name="Context">
        <strong>
          {count(preview.tokens_before)} → {count(cut.tokens_after)} tokens
        </strong>{' '}
        at most: {count(cut.tokens_kept)} kept and a summary of up to {count(cut.summary_tokens)}
      </Row>
      <Row name="Summarized">
        messages {count(cut.from_seq)}–{count(cut.to_seq)}, {count(cut.summarized.tokens)} tokens
        {cut.starts_over && ', from the start: the active summary is an extractive fallback'}
      </Row>
      <Row name="Kept">
        {plural(kept.messages, 'message')}, {plural(kept.turns, 'turn')}
        {cut.cleared_results > 0 && `; ${plural(cut.cleared_results, 'older tool result')} cleared`}
      </Row>
      <Row name="Reclaims">
        {percent(Math.max(0, cut.reclaimed_share))} of the trigger
        {worth ? '' : `, below the ${percent(cut.min_reclaim_ratio)} that an automatic compaction needs`}
      </Row>
      <Row name="Made by">
        {summarizer.calls === 0
          ? 'code, no model, at no cost'
          : `${summarizer.model ?? summarizer.provider}, ${plural(summarizer.calls, 'call')}, about ${count(summarizer.input_tokens)} tokens to read`}
      </Row>
    </dl>
  );
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
