import { memo, useState } from 'react';
import { count } from '@/ui/quantity';
import type { Piece } from './highlight';
import { Highlighted } from './highlighted';
import classes from './lines.module.css';

/** Longer lines are clipped; a minified file would otherwise be one text node of megabytes. */
const clipAt = 2_000;

interface Props {
  number: number;
  text: string | undefined;
  digits: number;
  highlight: (text: string) => Piece[];
  matched: boolean;
  selected: boolean;
  onGo: (line: number) => void;
}

export const LineRow = memo(function LineRow({
  number,
  text,
  digits,
  highlight,
  matched,
  selected,
  onGo,
}: Props) {
  const [through, setThrough] = useState(clipAt);
  const left = (text?.length ?? 0) - through;
  return (
    <div className={classes.row} data-matched={matched} data-selected={selected}>
      <button
        type="button"
        className={classes.number}
        style={{ width: `${digits + 2}ch` }}
        onClick={() => onGo(number)}
        tabIndex={-1}
      >
        {count(number)}
      </button>
      <code className={classes.code}>
        {text === undefined ? (
          <span className={classes.loading} />
        ) : matched ? (
          <Highlighted pieces={highlight(text.slice(0, through))} />
        ) : (
          text.slice(0, through)
        )}
        {left > 0 && (
          <button type="button" className={classes.moreText} onClick={() => setThrough(through + 32_000)}>
            … {count(left)} more characters
          </button>
        )}
      </code>
    </div>
  );
});
