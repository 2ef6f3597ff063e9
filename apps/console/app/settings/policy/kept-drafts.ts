import { useEffect, useState } from 'react';
import type { Policy } from './policy-draft';
import type { PolicyInput } from './policy-fields';
import type { UnreadTexts } from './use-unread';

interface Kept {
  /** The version that the draft was begun from. */
  start: Policy;
  draft: PolicyInput;
  texts: UnreadTexts;
}

/** Unsaved drafts by thread, or '' for the project. Only in memory: nothing of them outlives the sign-out. */
const kept = new Map<string, Kept>();

/** What was unsaved of a policy when its page was left within the console. */
export function useKeptDraft(threadId: string | null): Kept | undefined {
  const [found] = useState(() => kept.get(threadId ?? ''));
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
