import { useEffect, useState } from 'react';
import type { Policy } from './policy-draft';
import type { PolicyInput } from './policy-fields';

interface Kept {
  /** The version that the draft was begun from. */
  start: Policy;
  draft: PolicyInput;
}

/** Unsaved drafts by thread, or '' for the project. Only in memory: nothing of them outlives the sign-out. */
const kept = new Map<string, Kept>();

/** What was unsaved of a policy when its page was left within the console. */
export function useKeptDraft(threadId: string | null): Kept | undefined {
  const [found] = useState(() => kept.get(threadId ?? ''));
  return found;
}

/** Keeps a draft while it differs from the version that it was begun from, and asks before a reload loses it. */
export function useKeepDraft(threadId: string | null, { start, draft }: Kept, dirty: boolean): void {
  useEffect(() => {
    if (dirty) kept.set(threadId ?? '', { start, draft });
    else kept.delete(threadId ?? '');
  }, [threadId, start, draft, dirty]);
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}
