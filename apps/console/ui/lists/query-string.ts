'use client';

import { useSearchParams, type ReadonlyURLSearchParams } from 'next/navigation';

/**
 * The state of a view in its URL. Changing it rewrites the URL without a request to the server: Next syncs
 * useSearchParams with the browser's history.
 */
export function useQueryString(): [
  ReadonlyURLSearchParams,
  (changes: Record<string, string | null>) => void,
] {
  return [useSearchParams(), change];
}

function change(changes: Record<string, string | null>): void {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href !== window.location.href) window.history.replaceState(null, '', url);
}
