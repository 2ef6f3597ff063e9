'use client';

import { IconFileOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useEffect, useMemo, useRef } from 'react';
import { Empty } from '@/ui/messages/empty';
import { useLongList } from '@/ui/lists/use-long-list';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { count } from '@/ui/quantity';
import { highlighter } from './highlight/highlight';
import { LineRow } from './line-row';
import classes from './lines.module.css';
import { useLines } from './use-lines';
import type { Search } from './use-grep';

const lineHeight = 19;

interface Props {
  output: Schemas['Output'];
  line: number | null;
  wrap: boolean;
  search: Search;
  matches: ReadonlySet<number>;
  onGo: (line: number) => void;
}

export function LineList({ output, line, wrap, search, matches, onGo }: Props) {
  const { pattern, ignoreCase } = search;
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, before, scrollTo, onScrollEnd, onKeyDown } = useLongList<HTMLDivElement>(
    { scroller, total: output.lines, start: line ?? 1 },
    { estimateSize: () => lineHeight, overscan: 20 },
  );
  const shown = rows.getVirtualItems();
  const first = before + (shown[0]?.index ?? 0) + 1;
  const last = before + (shown.at(-1)?.index ?? 60) + 1;
  const { byNumber, error, retry } = useLines(output.id, first, last, output.lines);
  const highlight = useMemo(() => highlighter({ pattern, ignoreCase }), [pattern, ignoreCase]);
  useEffect(() => {
    if (line !== null) scrollTo(line, 'center');
    // Only when another line is named; afterwards the user scrolls.
  }, [line]);
  useEffect(() => rows.measure(), [wrap, rows]);

  if (output.lines === 0) return <Empty icon={IconFileOff} title="This output is empty" />;
  if (error && byNumber.size === 0) return <ProblemPanel problem={problemOf(error)} onRetry={retry} />;
  const digits = count(output.lines).length;
  return (
    <div
      ref={scroller}
      className={classes.lines}
      data-wrap={wrap}
      tabIndex={0}
      role="group"
      aria-label="Lines"
      onScrollEnd={onScrollEnd}
      onKeyDown={onKeyDown}
    >
      <div className={classes.sheet} style={{ height: rows.getTotalSize() }}>
        {shown.map((row) => (
          <div
            key={row.key}
            ref={wrap ? rows.measureElement : undefined}
            data-index={row.index}
            className={classes.line}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            <LineRow
              number={before + row.index + 1}
              text={byNumber.get(before + row.index + 1)}
              digits={digits}
              highlight={highlight}
              matched={matches.has(before + row.index + 1)}
              selected={before + row.index + 1 === line}
              onGo={onGo}
            />
          </div>
        ))}
      </div>
    </div>
  );
}
