'use client';

import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { browserApi, dataOf, doneOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import { problemOf } from '@/ui/messages/problem';
import { noteSave, overOwnSave, useKeepDraft, useKeptDraft } from './kept-drafts';
import { changesBetween, problemsByPath, textOf, type Policy } from './policy-draft';
import type { PolicyInput } from './policy-fields';
import { useUnread } from './use-unread';

/** How often a change by somebody else is checked. */
const watchMs = 10_000;

const readPolicy = (threadId: string | null, signal?: AbortSignal): Promise<Policy> =>
  threadId === null
    ? dataOf(browserApi.GET('/v1/policy', { signal }))
    : dataOf(browserApi.GET('/v1/threads/{id}/policy', { params: { path: { id: threadId } }, signal }));

/** Saves a thread's policy, and returns it with its effect: null if it is saved, but cannot be read. */
async function savePolicyOf(
  queries: QueryClient,
  id: string,
  policy: PolicyInput,
  headers: Record<string, string>,
): Promise<Policy | null> {
  await doneOf(browserApi.PATCH('/v1/threads/{id}', { params: { path: { id } }, body: { policy }, headers }));
  const read = { queryKey: ['saved-policy', id], queryFn: () => readPolicy(id), gcTime: 0, retry: 2 };
  return queries.fetchQuery(read).catch(() => null);
}

/**
 * A draft of a policy: its base, its effect by the API's own merge, and its problems. It can only be saved over its
 * base version, and is kept while its user looks at other pages.
 */
export function usePolicy(first: Policy, threadId: string | null) {
  const queries = useQueryClient();
  const kept = useKeptDraft(threadId, first);
  const [start, setStart] = useState(kept?.start ?? first);
  const [draft, setDraft] = useState<PolicyInput>(kept?.draft ?? first.policy);
  const newest = useRef(draft);
  newest.current = draft;
  const latest = useQuery({
    queryKey: ['policy', threadId],
    queryFn: ({ signal }) => readPolicy(threadId, signal),
    initialData: first,
    initialDataUpdatedAt: arrivedAt(first),
    refetchInterval: watchMs,
  });
  const mutationKey = ['save-policy', threadId];
  const save = useMutation({
    mutationKey,
    mutationFn: async (sent: PolicyInput) => {
      const over = start.version;
      const headers = { 'if-match': `"${over}"` };
      // Before it is sent: the answer may be lost.
      noteSave(threadId, { over, sent, saved: null });
      const saved = await (threadId === null
        ? dataOf(browserApi.PUT('/v1/policy', { body: sent, headers }))
        : savePolicyOf(queries, threadId, sent, headers));
      noteSave(threadId, { over, sent, saved });
      return saved;
    },
    // Also called when the page was left meanwhile.
    onSuccess: (saved, sent) => {
      if (saved === null) void latest.refetch();
      else {
        setStart(saved);
        // Edits made since it was sent stay, over the saved version.
        setDraft((now) => (now === sent ? saved.policy : now));
        queries.setQueryData(['policy', threadId], saved);
      }
      notifyDone(
        'Saved',
        threadId === null
          ? 'Each thread applies this at its next message.'
          : saved === null
            ? 'It applies at once. The API did not answer when it was read again: this page shows it once it does.'
            : 'It applies at once.',
      );
    },
    onError: (error, sent) => {
      const { code } = problemOf(error);
      if (code === 'policy_changed') void latest.refetch();
      // Shown beside the fields, unless they were edited since.
      else if (code !== 'invalid_request' || sent !== newest.current) notifyProblem(error);
    },
  });

  // Also a save that was begun before the page was left and opened again.
  const saving = useIsMutating({ mutationKey }) > 0;
  const dirty = textOf(draft) !== textOf(start.policy);
  const unread = useUnread(kept?.texts ?? {});
  const unsaved = dirty || Object.keys(unread.texts).length > 0;
  const [edition, setEdition] = useState(0);
  useKeepDraft(threadId, { start, draft, texts: unread.texts }, unsaved);
  const rebased = overOwnSave(threadId, { start, draft }, latest.data);
  const wasSaved = rebased.start !== start && !saving;
  useEffect(() => {
    if (!wasSaved) return;
    setStart(rebased.start);
    setDraft(rebased.draft);
  }, [wasSaved, rebased.start, rebased.draft]);
  // During a save a newer version may be its own.
  const changedMeanwhile = latest.data.version !== start.version && !saving && !wasSaved;
  const takeOver = (policy: Policy) => {
    setStart(policy);
    setDraft(policy.policy);
  };
  const beginAnew = () => {
    unread.clear();
    setEdition(edition + 1);
  };
  // Nothing to lose: the newer version is shown.
  useEffect(() => {
    if (changedMeanwhile && !unsaved) takeOver(latest.data);
  }, [changedMeanwhile, unsaved, latest.data]);

  const [settled] = useDebouncedValue(draft, 300);
  const preview = useQuery({
    queryKey: ['policy-preview', threadId, settled],
    queryFn: ({ signal }) => {
      const body = { policy: settled, ...(threadId === null ? {} : { thread_id: threadId }) };
      return dataOf(browserApi.POST('/v1/policy/preview', { body, signal }));
    },
    enabled: dirty,
    placeholderData: keepPreviousData,
  });
  const refused = [dirty ? preview.error : null, save.variables === draft ? save.error : null]
    .map((error) => (error ? problemOf(error) : null))
    .find((problem) => problem?.code === 'invalid_request');
  const meant = dirty && preview.data ? preview.data : start;
  return {
    start,
    draft,
    edit: setDraft,
    dirty,
    /** Whether there is a change, or a text that cannot be read and that the draft does not have. */
    unsaved,
    unread,
    /** Changes when the draft is dropped: fields begin anew, also those whose text could not be read. */
    edition,
    changedMeanwhile: changedMeanwhile && unsaved,
    latest: latest.data,
    /** Replaces the draft with the version that somebody else saved. */
    loadLatest: () => {
      takeOver(latest.data);
      beginAnew();
    },
    /** Keeps the draft, which will replace the version that somebody else saved. */
    keepDraft: () => setStart(latest.data),
    discard: () => {
      setDraft(start.policy);
      beginAnew();
    },
    meant,
    inherited: start.inherited,
    changes: dirty ? changesBetween(start, meant) : [],
    problems: {
      ...problemsByPath([...(refused?.errors ?? []), ...(dirty ? (preview.data?.problems ?? []) : [])]),
      ...Object.fromEntries(Object.entries(unread.texts).map(([path, { why }]) => [path, why])),
    },
    save: () => save.mutate(draft),
    saving,
  };
}

export type Editing = ReturnType<typeof usePolicy>;
