'use client';

import { useState } from 'react';
import { count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import classes from './json-tree.module.css';

/** A JSON value as an expandable tree: collapsed parts are not rendered, and long texts are split. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  return (
    <div className={classes.tree} role="group" aria-label={label}>
      <Node value={value} open />
    </div>
  );
}

const atOnce = 100;
const maxText = 4_000;

function Node({ name, value, open = false }: { name?: string; value: unknown; open?: boolean }) {
  const [isOpen, setOpen] = useState(open);
  const [shown, setShown] = useState(atOnce);
  if (typeof value !== 'object' || value === null) return <Leaf name={name} value={value} />;
  const entries: [string, unknown][] = Object.entries(value);
  const [before, after] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return (
    <div>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden>{isOpen ? '▾' : '▸'}</span> {name !== undefined && <Name name={name} />}
        {isOpen ? before : `${before} ${count(entries.length)} ${after}`}
      </button>
      {isOpen && (
        <>
          <div className={classes.inner}>
            {entries.slice(0, shown).map(([key, item]) => (
              <Node key={key} name={key} value={item} />
            ))}
            {entries.length > shown && (
              <button type="button" className={classes.more} onClick={() => setShown(shown + atOnce)}>
                {count(entries.length - shown)} more
              </button>
            )}
          </div>
          <span>{after}</span>
        </>
      )}
    </div>
  );
}

function Leaf({ name, value }: { name: string | undefined; value: unknown }) {
  const [through, setThrough] = useState(maxText);
  const text = JSON.stringify(value) ?? 'null';
  return (
    <div className={classes.leaf} data-type={typeof value}>
      {name !== undefined && <Name name={name} />}
      <span className={classes.value}>
        <ShownText text={text.slice(0, through)} />
      </span>
      {text.length > through && (
        <button
          type="button"
          className={classes.more}
          onClick={() => setThrough(Math.min(through * 4, 64_000))}
        >
          {through < 64_000
            ? `show more of ${count(text.length)} characters`
            : 'copy it from the export for the rest'}
        </button>
      )}
    </div>
  );
}

const Name = ({ name }: { name: string }) => (
  <span className={classes.name}>
    <ShownText text={name} />:{' '}
  </span>
);
