'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useEffect, useSyncExternalStore } from 'react';
import { sessionEnd } from '@/ui/access/session-end';
import { sessionQuery } from '@/ui/access/use-session';

interface Typed {
  text: string;
  /** Whose it is: the project and the key of the session in which it was typed. */
  owner: string | null;
}

/** Instructions that are typed and not added, by thread. */
const texts = new Map<string, Typed>();
const listeners = new Set<() => void>();

/**
 * While a document is loaded anew, as after the session ended, the texts are in the storage of the tab. The next document
 * takes them out again: only those of whoever signs in there come back.
 */
const name = 'spillway.typed-instructions';

export const ownerOf = ({ project, key }: Schemas['SessionCurrent']): string => `${project.id} ${key.id}`;

/** What is typed for a thread; it stays while other pages are shown. */
export const useKeptText = (threadId: string): string =>
  useSyncExternalStore(
    subscribe,
    () => texts.get(threadId)?.text ?? '',
    () => '',
  );

/** Keeps what is typed for a thread. While there is any such text, the browser asks before it leaves the document. */
export function keepText(threadId: string, text: string, owner: string | null): void {
  if (text === '') texts.delete(threadId);
  else texts.set(threadId, { text, owner });
  if (texts.size > 0) {
    window.addEventListener('beforeunload', ask);
    window.addEventListener('pagehide', store);
  } else window.removeEventListener('beforeunload', ask);
  listeners.forEach((listener) => listener());
}

/** Says whose text it is, where that was not known yet when it was typed. */
export function claimText(threadId: string, owner: string): void {
  const typed = texts.get(threadId);
  if (typed?.owner === null) keepText(threadId, typed.text, owner);
}

/** Drops the text of a thread that was added; what was typed since stays. */
export function dropText(threadId: string, added: string): void {
  if (texts.get(threadId)?.text === added) keepText(threadId, '', null);
}

/** Brings back what was typed in the document before, if the same person is signed in; else it is dropped. */
export function useTypedBefore(): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (window.sessionStorage.getItem(name) === null) return;
    queries.fetchQuery(sessionQuery).then(
      (session) => {
        const owner = ownerOf(session);
        for (const [threadId, typed] of takeStored())
          if (typed.owner === owner && !texts.has(threadId)) keepText(threadId, typed.text, owner);
      },
      // Nobody is known to be signed in: the texts stay where they are, and nothing shows them.
      () => undefined,
    );
  }, [queries]);
}

const takeStored = (): [string, Typed][] => {
  const stored = window.sessionStorage.getItem(name);
  window.sessionStorage.removeItem(name);
  return JSON.parse(stored ?? '[]') as [string, Typed][];
};

/** A text without an owner would come back to nobody. */
const owned = () => [...texts].filter(([, { owner }]) => owner !== null);

function store(): void {
  if (sessionEnd() === 'by the user' || owned().length === 0) window.sessionStorage.removeItem(name);
  else window.sessionStorage.setItem(name, JSON.stringify(owned()));
}

/** After the session ended by itself nothing is lost that has an owner. */
const ask = (event: BeforeUnloadEvent) => {
  if (sessionEnd() !== 'by itself' || owned().length < texts.size) event.preventDefault();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
