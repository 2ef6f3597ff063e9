'use client';

import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { plural } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import type { ChangedRows, DiffRow, FieldDiff, Piece } from './diff-rows';
import classes from './diff.module.css';

/** Lines of unchanged context; more are folded. */
const shownLines = 2;
const shownChars = 160;

/** A field beside its base, or inline in narrow windows. */
export function DiffView({ diff, wide }: { diff: FieldDiff; wide: boolean }) {
  return (
    <div className={classes.diff} data-wide={wide}>
      {diff.rows.map((row, i) =>
        row.kind === 'same' ? (
          <Unchanged key={i} lines={row.lines} wide={wide} />
        ) : wide ? (
          <Sides key={i} row={row} />
        ) : (
          <p key={i} className={classes.inline}>
            <Words pieces={row.words} />
          </p>
        ),
      )}
    </div>
  );
}

function Unchanged({ lines, wide }: { lines: string[]; wide: boolean }) {
  const [open, setOpen] = useState(false);
  const text = lines.join('\n');
  const folds = (lines.length > shownLines || text.length > shownChars) && !open;
  if (folds)
    return (
      <UnstyledButton className={classes.fold} onClick={() => setOpen(true)}>
        {plural(lines.length, 'unchanged line')} · show
      </UnstyledButton>
    );
  if (!wide)
    return (
      <p className={classes.same}>
        <ShownText text={text} />
      </p>
    );
  return (
    <div className={classes.sides}>
      <p className={classes.same}>
        <ShownText text={text} />
      </p>
      <p className={classes.same} aria-hidden>
        <ShownText text={text} />
      </p>
    </div>
  );
}

function Sides({ row }: { row: ChangedRows }) {
  return (
    <div className={classes.sides}>
      <p className={classes.before} data-empty={row.before === ''}>
        <Words pieces={row.words.filter(({ kind }) => kind !== 'added')} />
      </p>
      <p className={classes.after} data-empty={row.after === ''}>
        <Words pieces={row.words.filter(({ kind }) => kind !== 'removed')} />
      </p>
    </div>
  );
}

/** Marked by the element, a decoration and hidden text, not only by colour. */
function Words({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map((piece, i) => {
    if (piece.kind === 'same')
      return (
        <span key={i}>
          <ShownText text={piece.text} />
        </span>
      );
    const Mark = piece.kind === 'added' ? 'ins' : 'del';
    return (
      <Mark key={i} className={classes[piece.kind]}>
        <VisuallyHidden>[{piece.kind}: </VisuallyHidden>
        <ShownText text={piece.text} />
        <VisuallyHidden>]</VisuallyHidden>
      </Mark>
    );
  });
}

/** Whether there are differences. */
export const differs = (rows: readonly DiffRow[]): boolean => rows.some(({ kind }) => kind === 'changed');
