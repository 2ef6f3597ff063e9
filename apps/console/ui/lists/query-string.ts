'use client';

import { useSearchParams, type ReadonlyURLSearchParams } from 'next/navigation';

/**
 * The state of a view that belongs in its address. Changing it rewrites the address without asking the server for
 * the page again: Next keeps useSearchParams in step with the browser's history.
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
