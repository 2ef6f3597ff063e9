'use client';

import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import type { Schemas } from '@spillway/client';
import { focusIfNoneHasIt } from '@/ui/frame/focus-if-none-has-it';
import type { Coverage } from './gutter/coverage';
import { MessageRow, type RowActions } from './message-row';
import type { Standing } from './gutter/standing';
import classes from './timeline/timeline.module.css';
import type { ToolTies } from './content/tool-ties';
import { usePairMarks } from './gutter/use-pair-marks';
import type { LongList } from './timeline/use-rows';

interface Props extends RowActions {
  list: LongList;
  scroller: RefObject<HTMLDivElement | null>;
  threadId: string;
  lastSeq: number;
  /** The newest message of the context. */
  newest: number;
  bySeq: ReadonlyMap<number, Schemas['Message']>;
  isAbsent: (seq: number) => boolean;
  isFailed: (seq: number) => boolean;
  standingOf: (seq: number) => Standing;
  coverage: Coverage;
  ties: ToolTies;
  words: readonly string[];
  hits: ReadonlySet<number>;
  cursor: number | null;
  onKey: (event: KeyboardEvent) => void;
}

const noWords: readonly string[] = [];

/** The visible messages, in a list as long as the thread. */
export function MessageList(props: Props) {
  const {
    list,
    scroller,
    threadId,
    lastSeq,
    newest,
    bySeq,
    isAbsent,
    isFailed,
    standingOf,
    coverage,
    ties,
    words,
    hits,
    cursor,
    onKey,
    ...actions
  } = props;
  const { rows, before } = list;
  usePairMarks(scroller);
  useEffect(() => focusIfNoneHasIt(scroller.current), [scroller]);
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-long={lastSeq >= 100_000}
      tabIndex={0}
      role="group"
      aria-label="Messages. Keys: j and k next and previous, [ and ] compactions, g and G ends, slash search, c copy link, Enter expand"
      onKeyDown={(event) => {
        list.onKeyDown(event);
        onKey(event);
      }}
      onScrollEnd={list.onScrollEnd}
    >
      <ol ref={rows.containerRef} className={classes.list}>
        {rows.getVirtualItems().map((row) => {
          const seq = before + row.index + 1;
          return (
            <li
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              className={classes.item}
              aria-setsize={lastSeq}
              aria-posinset={seq}
            >
              <MessageRow
                threadId={threadId}
                seq={seq}
                message={bySeq.get(seq)}
                absent={isAbsent(seq)}
                failed={isFailed(seq)}
                newest={seq === newest}
                standing={standingOf(seq)}
                ending={coverage.endingAt(seq)}
                ties={ties}
                words={hits.has(seq) ? words : noWords}
                selected={seq === cursor}
                hit={hits.has(seq)}
                {...actions}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
