import { memo, useState } from 'react';
import { count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import type { Piece } from './highlight/highlight';
import { Highlighted } from './highlight/highlighted';
import classes from './lines.module.css';

/** Longer lines are clipped; a minified file would otherwise be one text node of megabytes. */
const clipAt = 2_000;
/** What a click adds, and the maximum of one text node: browsers lay out several small ones faster. */
const perNode = 32_000;

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
          <Highlighted pieces={highlight(text.slice(0, through)).flatMap(inNodes)} />
        ) : (
          nodesOf(text.slice(0, through))
        )}
        {left > 0 && (
          <button type="button" className={classes.moreText} onClick={() => setThrough(through + perNode)}>
            … {count(left)} more characters
          </button>
        )}
      </code>
    </div>
  );
});

const inNodes = ({ text, hit }: Piece): Piece[] =>
  text.length <= perNode ? [{ text, hit }] : partsOf(text).map((part) => ({ text: part, hit }));

const partsOf = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / perNode) }, (_, i) =>
    text.slice(i * perNode, (i + 1) * perNode),
  );

const nodesOf = (text: string) =>
  text.length <= perNode ? (
    <ShownText text={text} />
  ) : (
    partsOf(text).map((part, i) => (
      <span key={i}>
        <ShownText text={part} />
      </span>
    ))
  );
