'use client';

import { useMediaQuery } from '@mantine/hooks';
import type { Schemas } from '@spillway/client';
import { useMemo } from 'react';
import { plural } from '@/ui/quantity';
import { differs, DiffView } from './diff/diff-view';
import { diffField } from './diff/diff-rows';
import { textsOf, titleOf } from './generation-label';
import { SourcedText } from './sources/sourced-text';
import classes from './field.module.css';
import type { Statement } from './facts/use-facts';

interface Props {
  name: string;
  summary: Schemas['Summary'];
  base: Schemas['Summary'] | undefined;
  /** Undefined until loaded. */
  statements: Statement[] | undefined;
  pointed: Statement | null;
  onPoint: (statement: Statement) => void;
}

export function FieldSection({ name, summary, base, statements, pointed, onPoint }: Props) {
  const text = textsOf(summary)[name] ?? '';
  return (
    <section className={classes.field}>
      {base ? (
        <Compared name={name} before={textsOf(base)[name] ?? ''} after={text} base={base.generation} />
      ) : (
        <>
          <h3 className={classes.title}>{titleOf(name)}</h3>
          {text.trim() === '' ? (
            <p className="dim">Nothing noted.</p>
          ) : (
            <SourcedText
              text={text}
              throughSeq={summary.to_seq}
              statements={statements}
              pointed={pointed}
              onPoint={onPoint}
            />
          )}
        </>
      )}
    </section>
  );
}

function Compared({
  name,
  before,
  after,
  base,
}: {
  name: string;
  before: string;
  after: string;
  base: number;
}) {
  const wide = useMediaQuery('(min-width: 900px)') ?? false;
  const diff = useMemo(() => diffField(before, after), [before, after]);
  const changed = differs(diff.rows);
  return (
    <>
      <h3 className={classes.title}>
        {titleOf(name)}
        <span className={classes.counts}>
          {changed ? (
            <>
              <span data-kind="added">+{plural(diff.added, 'word')}</span>
              <span data-kind="removed">−{plural(diff.removed, 'word')}</span>
            </>
          ) : (
            `unchanged since generation ${base}`
          )}
        </span>
      </h3>
      {diff.rows.length === 0 ? <p className="dim">Nothing noted.</p> : <DiffView diff={diff} wide={wide} />}
    </>
  );
}
