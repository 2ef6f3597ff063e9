import { useEffect, useState } from 'react';
import { textOf, type Policy } from './policy-draft';
import type { PolicyInput } from './policy-fields';
import type { UnreadTexts } from './use-unread';

interface Kept {
  /** The version that the draft was begun from. */
  start: Policy;
  draft: PolicyInput;
  texts: UnreadTexts;
}

/** Unsaved drafts by thread, or '' for the project. Only in memory, which ends with the session: see Frame. */
const kept = new Map<string, Kept>();

interface Save {
  /** The version that it replaced. */
  over: Policy['version'];
  sent: PolicyInput;
  /** What it made of the policy; null until that is read. */
  saved: Policy | null;
}

/** The newest save of each policy: it may succeed after its page was left, also when another one is shown by then. */
const saves = new Map<string, Save>();

export const noteSave = (threadId: string | null, save: Save): void => void saves.set(threadId ?? '', save);

/**
 * A draft over the version that this console saved over its own, if it did: what was sent is a change no more. A save
 * whose answer was lost made the `latest` version if that has the policy that was sent.
 */
export function overOwnSave<T extends Pick<Kept, 'start' | 'draft'>>(
  threadId: string | null,
  of: T,
  latest: Policy,
): T {
  const save = saves.get(threadId ?? '');
  if (save?.over !== of.start.version) return of;
  const saved = save.saved ?? (textOf(latest.policy) === textOf(save.sent) ? latest : null);
  if (saved === null || saved.version === save.over) return of;
  const isSent = textOf(of.draft) === textOf(save.sent);
  return { ...of, start: saved, draft: isSent ? saved.policy : of.draft };
}

/** What was unsaved of a policy when its page was left within the console. `latest` is its newest version. */
export function useKeptDraft(threadId: string | null, latest: Policy): Kept | undefined {
  const [found] = useState(() => {
    const left = kept.get(threadId ?? '');
    return left && overOwnSave(threadId, left, latest);
  });
  return found;
}

/** Keeps a draft, and the texts of it that cannot be read, while anything is unsaved; asks before a reload loses it. */
export function useKeepDraft(threadId: string | null, { start, draft, texts }: Kept, unsaved: boolean): void {
  useEffect(() => {
    if (unsaved) kept.set(threadId ?? '', { start, draft, texts });
    else kept.delete(threadId ?? '');
  }, [threadId, start, draft, texts, unsaved]);
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
}
