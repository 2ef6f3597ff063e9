'use client';

import { useEffect, useRef } from 'react';
import { CopyBox } from '@/ui/copy-box';

/** A new credential. It takes the focus from the form in whose place it stands. */
export function ShownOnce({ secret, label }: { secret: string; label: string }) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <CopyBox text={secret} label={label}>
      <code ref={shown} tabIndex={-1} data-testid="shown-once">
        {secret}
      </code>
    </CopyBox>
  );
}
