import { IconArrowsMinimize } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { makerWords } from '@/app/attempts/maker-words';
import { count, percent } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { exactTime } from '@/ui/exact-time';
import classes from './compaction-mark.module.css';
import { toGeneration } from '../../summaries/to-generation';

/** A compaction at the position of its cut: the summary covers everything above it. */
export function CompactionMark({ summary }: { summary: Schemas['GenerationRange'] }) {
  const { generation, from_seq, to_seq, tokens_before, tokens_after, created_at } = summary;
  const shed = tokens_before > 0 ? 1 - tokens_after / tokens_before : 0;
  return (
    <div className={classes.mark}>
      <IconArrowsMinimize size={14} aria-hidden />
      <QueryLink changes={toGeneration(generation)}>Generation {generation}</QueryLink>
      <span className="num">
        messages {count(from_seq)}–{count(to_seq)}
      </span>
      <span className="num">
        {count(tokens_before)} → {count(tokens_after)} tokens ({percent(Math.max(0, shed))} less)
      </span>
      <span>by {makerWords(summary)}</span>
      <time dateTime={created_at} className={`num ${classes.time}`}>
        {exactTime(created_at)}
      </time>
    </div>
  );
}
