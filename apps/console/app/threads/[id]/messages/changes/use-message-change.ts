'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { notifyDone } from '@/ui/messages/notify';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { applyChange, type MessageChange } from './message-change';

/** Starts a change of a message: `ask` is the same function in every render, since all rows have it. */
export function useMessageChange(threadId: string, newest: number) {
  const queries = useQueryClient();
  const [change, setChange] = useState<MessageChange | null>(null);
  const action = useConfirmation({
    mutationFn: () => {
      if (!change) throw new Error('no change was asked for');
      return applyChange(threadId, change);
    },
    onSuccess: ([title, message]) => {
      notifyDone(title, message);
      return queries.invalidateQueries();
    },
  });
  const latest = useRef({ newest, action });
  latest.current = { newest, action };
  const ask = useCallback((name: MessageChange['name'], seq: number) => {
    const now = latest.current;
    // One that still runs is shown again in place of a second one.
    if (!now.action.isPending) setChange({ name, seq, through: seq, newest: now.newest });
    now.action.open();
  }, []);
  return { change, setChange, action, ask };
}
