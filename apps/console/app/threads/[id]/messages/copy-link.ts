import { count } from '@/ui/quantity';
import { notifyDone } from '@/ui/messages/notify';

/** Copies the address of a message. */
export function copyLink(seq: number): void {
  const url = new URL(window.location.pathname, window.location.origin);
  url.searchParams.set('seq', String(seq));
  const copied = () => notifyDone('Link copied', `It leads to message ${count(seq)}.`);
  // A browser may refuse, and has no clipboard when the console is not served over HTTPS.
  const shown = () => notifyDone('Link to copy', url.href);
  if (window.isSecureContext) navigator.clipboard.writeText(url.href).then(copied, shown);
  else shown();
}
