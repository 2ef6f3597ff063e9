'use client';

import type { Schemas } from '@spillway/client';
import { memo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { count } from '@/ui/quantity';
import type { Coverage } from './coverage';
import classes from './thread-rail.module.css';

interface Props {
  map: Schemas['ThreadMap'] | undefined;
  lastSeq: number;
  first: number;
  last: number;
  coverage: Coverage;
  /** Seqs of search hits. */
  hits: readonly number[];
  onScroll: (seq: number) => void;
}

/** The whole thread as a rail: its generations, its tokens, the visible range. Drag to scroll. */
export function ThreadRail({ map, lastSeq, first, last, coverage, hits, onScroll }: Props) {
  const rail = useRef<HTMLDivElement>(null);
  const drag = (event: PointerEvent) => {
    if (event.buttons !== 1 || !rail.current) return;
    event.preventDefault();
    const { top, height } = rail.current.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientY - top) / height));
    onScroll(Math.max(1, Math.round(share * lastSeq)));
  };
  const press = (event: KeyboardEvent) => {
    const to = target(event.key, { first, last, lastSeq, coverage });
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onScroll(Math.min(lastSeq, Math.max(1, to)));
  };
  const covered = coverage.of(first);
  const percent = (seq: number) => `${(100 * seq) / lastSeq}%`;
  return (
    <div
      ref={rail}
      className={classes.rail}
      role="slider"
      tabIndex={0}
      aria-label="Map of the thread"
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={lastSeq}
      aria-valuenow={first}
      aria-valuetext={`Messages ${first} to ${last} of ${lastSeq}${covered ? `, in summary G${covered.generation}` : ''}`}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={press}
    >
      <Drawing map={map} lastSeq={lastSeq} coverage={coverage} hits={hits} />
      <div
        className={classes.sight}
        style={{ top: percent(first - 1), height: `max(${percent(last - first + 1)}, 6px)` }}
      />
    </div>
  );
}

function target(key: string, at: Pick<Props, 'first' | 'last' | 'lastSeq' | 'coverage'>): number | undefined {
  const step = Math.max(1, Math.round(at.lastSeq / 100));
  if (key === 'ArrowUp' || key === 'ArrowLeft') return at.first - step;
  if (key === 'ArrowDown' || key === 'ArrowRight') return at.last + step;
  if (key === 'PageUp') return at.coverage.cutBefore(at.first) ?? 1;
  if (key === 'PageDown') return at.coverage.cutAfter(at.last) ?? at.lastSeq;
  if (key === 'Home') return 1;
  if (key === 'End') return at.lastSeq;
  return undefined;
}

/** Labels closer than this, in hundredths of the rail, would overlap. */
const labelGap = 2.5;

const Drawing = memo(function Drawing({
  map,
  lastSeq,
  coverage,
  hits,
}: Pick<Props, 'map' | 'lastSeq' | 'coverage' | 'hits'>) {
  const y = (seq: number) => (100 * seq) / lastSeq;
  let labelled = -labelGap;
  return (
    <>
      <svg viewBox="0 0 40 100" preserveAspectRatio="none" aria-hidden className={classes.drawing}>
        {coverage.chain.map((range) => (
          <rect
            key={range.generation}
            x={0}
            width={5}
            y={y(range.from_seq - 1)}
            height={Math.max(0.2, y(range.to_seq) - y(range.from_seq - 1) - 0.15)}
            className={classes.generation}
            data-parity={range.generation % 2}
          />
        ))}
        <rect
          x={0}
          width={5}
          y={y(coverage.chain.at(-1)?.to_seq ?? 0)}
          height={100}
          className={classes.live}
        />
        <path d={tokenPath(map, y)} className={classes.tokens} />
        {hits.map((seq, i) => (
          <rect key={i} x={34} width={6} y={y(seq - 0.5) - 0.2} height={0.4} className={classes.hit} />
        ))}
      </svg>
      {coverage.chain.map((range) => {
        const top = y(range.from_seq - 1);
        if (top - labelled < labelGap) return null;
        labelled = top;
        return (
          <span key={range.generation} className={classes.label} style={{ top: `${top}%` }} aria-hidden>
            G{range.generation}
          </span>
        );
      })}
      {largest(map).map(({ seq, tokens }) => (
        <span
          key={seq}
          className={classes.big}
          style={{ top: `${y(seq - 0.5)}%` }}
          title={`Message ${count(seq)}: ${count(tokens)} tokens`}
        />
      ))}
    </>
  );
});

/** The largest message of each range on a log scale, as one shape. */
function tokenPath(map: Schemas['ThreadMap'] | undefined, y: (seq: number) => number): string {
  const width = (tokens: number) => Math.min(26, (Math.log10(Math.max(1, tokens)) / 4.5) * 26);
  return (map?.buckets ?? [])
    .map(
      ({ from_seq, to_seq, largest }) => `M8 ${y(from_seq - 1)}H${8 + width(largest.tokens)}V${y(to_seq)}H8Z`,
    )
    .join('');
}

/** The few messages that are much larger than usual. */
function largest(map: Schemas['ThreadMap'] | undefined): { seq: number; tokens: number }[] {
  const all = (map?.buckets ?? []).map((bucket) => bucket.largest).sort((a, b) => b.tokens - a.tokens);
  const usual = all[Math.floor(all.length / 2)]?.tokens ?? 0;
  return all.slice(0, 6).filter(({ tokens }) => tokens > 500 && tokens > 2 * usual);
}
