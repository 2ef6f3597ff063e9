'use client';

import { Button } from '@mantine/core';
import { plural } from '@/ui/quantity';
import own from './policy.module.css';
import { showValue, sourceLabel } from './show-value';
import type { Editing } from './use-policy';

/** What saving would change, key by key, at the bottom of the page while something is unsaved. */
export function UnsavedBar({ editing, mayChange }: { editing: Editing; mayChange: boolean }) {
  const { changes, problems, save, saving, changedMeanwhile } = editing;
  const wrong = Object.keys(problems).length;
  return (
    <div className={own.bar} role="region" aria-label="Unsaved changes">
      <div className={own.changes}>
        <b role="status">
          {changes.length === 0 ? 'Unsaved changes' : plural(changes.length, 'unsaved change')}
        </b>
        <ul tabIndex={0} aria-label="Changes">
          {changes.map(({ path, before, after, source }) => (
            <li key={path}>
              <code>{path}</code> <del>{showValue(before)}</del> → <ins>{showValue(after)}</ins>{' '}
              <span className="dim">({sourceLabel(source)})</span>
            </li>
          ))}
        </ul>
        {wrong > 0 && (
          <span className={own.problem}>Some values are invalid: see the messages beside the fields.</span>
        )}
      </div>
      <div className={own.choices}>
        <Button variant="default" onClick={editing.discard} disabled={saving}>
          Discard
        </Button>
        <Button onClick={save} loading={saving} disabled={!mayChange || wrong > 0 || changedMeanwhile}>
          Save
        </Button>
      </div>
    </div>
  );
}
