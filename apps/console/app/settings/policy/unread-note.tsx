'use client';

import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import own from './policy.module.css';
import type { UnreadTexts } from './use-unread';

/** The field of a text. */
const fieldOf = (path: string): HTMLElement | null =>
  document.querySelector(
    path === '' ? `.${own.raw} textarea` : `[data-path="${path}"] :is(input[type="text"], textarea)`,
  );

/** Says why the view was not changed, and leads to the text that cannot be read. */
export function UnreadNote({ texts }: { texts: UnreadTexts }) {
  const [path, unread] = Object.entries(texts)[0] ?? ['', null];
  if (unread === null) return null;
  return (
    <div className={own.meanwhile} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <b>Other views cannot show text that cannot be read. Correct it or discard it first.</b>
        <p>
          {path !== '' && <code>{path} </code>}
          {unread.why}
        </p>
        <Button variant="default" onClick={() => fieldOf(path)?.focus()}>
          Go to it
        </Button>
      </div>
    </div>
  );
}
