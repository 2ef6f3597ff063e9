import { copyLink } from '@/ui/copy-link';
import { count } from '@/ui/quantity';

/** Copies the address of a message. */
export function copyMessageLink(seq: number): void {
  const url = new URL(window.location.pathname, window.location.origin);
  url.searchParams.set('seq', String(seq));
  void copyLink(url.href, `It leads to message ${count(seq)}.`);
}
