'use client';

import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { changesBetween } from './policy-draft';
import own from './policy.module.css';
import { showValue } from './show-value';
import type { Editing } from './use-policy';

/** Reports that somebody else saved a policy since this draft began, and asks which one to keep. */
export function ChangedMeanwhile({ editing }: { editing: Editing }) {
  if (!editing.changedMeanwhile) return null;
  const theirs = changesBetween(editing.start, editing.latest);
  return (
    <div className={own.meanwhile} role="alert">
      <IconUsers size={18} aria-hidden />
      <div>
        <b>Somebody else changed this policy.</b>
        <ul>
          {theirs.slice(0, 8).map(({ path, before, after }) => (
            <li key={path}>
              <code>{path}</code> {showValue(before)} → {showValue(after)}
            </li>
          ))}
        </ul>
        <div className={own.choices}>
          <Button variant="default" onClick={editing.loadLatest}>
            Load theirs, drop mine
          </Button>
          <Button variant="default" onClick={editing.keepDraft}>
            Keep mine, replace theirs when I save
          </Button>
        </div>
      </div>
    </div>
  );
}
