'use client';

import { useSearchParams, type ReadonlyURLSearchParams } from 'next/navigation';

type Changes = Record<string, string | null>;

/**
 * The state of a view in its URL, and two ways to change it without a request to the server: Next syncs useSearchParams
 * with the browser's history. The first rewrites the URL, as for a filter; the second is for what people follow, such as
 * a tab or a link: Back leads to where they were.
 */
export function useQueryString(): [
  ReadonlyURLSearchParams,
  (changes: Changes) => void,
  (changes: Changes) => void,
] {
  return [useSearchParams(), change, follow];
}

function change(changes: Changes): void {
  const url = changed(changes);
  if (url.href !== window.location.href) window.history.replaceState(null, '', url);
}

function follow(changes: Changes): void {
  const url = changed(changes);
  if (url.href !== window.location.href) window.history.pushState(null, '', url);
}

function changed(changes: Changes): URL {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url;
}
