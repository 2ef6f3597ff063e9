'use client';

import { useEffect, useRef } from 'react';
import { Copy } from '@/ui/copy';
import classes from './shown-once.module.css';

/** A new credential. It takes the focus from the form in whose place it stands. */
export function ShownOnce({ secret, label }: { secret: string; label: string }) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <div className={classes.secret}>
      <code ref={shown} tabIndex={-1} data-testid="shown-once">
        {secret}
      </code>
      <Copy text={secret} label={label} />
    </div>
  );
}
