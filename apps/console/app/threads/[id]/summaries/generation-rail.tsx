'use client';

import { IconArchiveOff, IconCircleCheck, IconHistory } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import type { ComponentProps } from 'react';
import { makerWords } from '@/app/attempts/maker-words';
import { count, percent } from '@/ui/quantity';
import { LoadMore } from '@/ui/lists/load-more';
import { QueryLink } from '@/ui/lists/query-link';
import { useChosenInView } from '@/ui/lists/use-chosen-in-view';
import { TimeAgo } from '@/ui/time-ago';
import { standingOf } from './generation-label';
import classes from './rail.module.css';

type Summary = Schemas['Summary'];

const marks = { active: IconCircleCheck, withdrawn: IconArchiveOff, past: IconHistory };

interface Props {
  /** Newest first. */
  all: readonly Summary[];
  chosen: Summary | undefined;
  /** Those of the list. Older ones of `all` are read alone. */
  listed: readonly Summary[];
  /** Reads more of the list. */
  list: ComponentProps<typeof LoadMore>['list'];
}

export function GenerationRail({ all, chosen, listed, list }: Props) {
  const rail = useChosenInView<HTMLElement>(chosen?.generation ?? 0);
  const oldest = listed.at(-1)?.generation ?? 0;
  const item = (summary: Summary, i: number) => (
    <li key={summary.generation}>
      {/* A chain is a sequence of folds; a restore or a rebuild starts a new one. */}
      {summary.chain !== all[i - 1]?.chain && <p className={classes.chain}>Chain {summary.chain}</p>}
      <RailItem summary={summary} current={summary === chosen} />
    </li>
  );
  const end = all.findLastIndex(({ generation }) => generation >= oldest) + 1;
  return (
    <nav ref={rail} className={classes.rail} aria-label="Generations">
      <ul>
        {all.slice(0, end).map(item)}
        {list.hasNextPage && (
          <li className={classes.end}>
            <LoadMore list={list} label="Older generations" m="xs" />
          </li>
        )}
        {all.slice(end).map((summary, i) => item(summary, end + i))}
      </ul>
    </nav>
  );
}

function RailItem({ summary, current }: { summary: Summary; current: boolean }) {
  const standing = standingOf(summary);
  const Mark = marks[standing.tone];
  return (
    <QueryLink
      changes={{ gen: String(summary.generation), generation: null }}
      className={classes.item}
      current={current}
    >
      <span className={classes.top}>
        <strong>Generation {summary.generation}</strong>
        <span className={classes.standing} data-tone={standing.tone}>
          <Mark size={12} aria-hidden /> {standing.word}
        </span>
      </span>
      <span className={classes.extent}>
        messages {count(summary.from_seq)}–{count(summary.to_seq)} · {count(summary.tokens)} tokens
      </span>
      <span className={classes.fine}>
        made by {makerWords(summary)}
        {summary.restored_from !== null && <> · restored from {summary.restored_from}</>}
      </span>
      <span className={classes.fine}>
        <TimeAgo at={summary.created_at} />
        {summary.fidelity && <> · fidelity {percent(summary.fidelity.score)}</>}
      </span>
    </QueryLink>
  );
}
