'use client';

import {
  IconBookmark,
  IconBookmarkOff,
  IconEraser,
  IconPin,
  IconPinnedOff,
  IconRewindBackward5,
} from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import type { ComponentType } from 'react';
import { ScopedButton } from '@/ui/access/scoped-button';
import { useMissingScope } from '@/ui/access/use-missing-scope';
import classes from './change-bar.module.css';
import type { MessageChange } from './message-change';

interface Props {
  message: Schemas['Message'];
  /** Whether it is the newest in the context: there is nothing to rewind. */
  newest: boolean;
  onChange: (name: MessageChange['name'], seq: number) => void;
}

/** The changes that a message allows, each behind a dialog. */
export function ChangeBar({ message, newest, onChange }: Props) {
  const { seq, pinned } = message;
  const button = (name: MessageChange['name'], label: string, Icon: ComponentType<{ size: number }>) => (
    <ScopedButton
      scope={name === 'erase' ? 'threads:manage' : 'messages:write'}
      variant="default"
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => onChange(name, seq)}
    >
      {label}
    </ScopedButton>
  );
  return (
    <div role="group" aria-label={`Change message ${seq}`} className={classes.bar}>
      {message.rewound_before === null && (
        <>
          {pinned ? button('unpin', 'Unpin', IconPinnedOff) : button('pin', 'Pin', IconPin)}
          {button('keep', 'Keep', IconBookmark)}
          {button('release', 'Release', IconBookmarkOff)}
          {!newest && button('rewind', 'Rewind to here', IconRewindBackward5)}
        </>
      )}
      {message.erased_at === null && button('erase', 'Erase', IconEraser)}
      <MissingScopes />
    </div>
  );
}

/** Why buttons are disabled, for those who cannot point at them. */
function MissingScopes() {
  const missing = [useMissingScope('messages:write'), useMissingScope('threads:manage')].filter(
    (scope) => scope !== null,
  );
  if (missing.length === 0) return null;
  return <span className="dim">Your key lacks {missing.join(' and ')}.</span>;
}
