import { copyText } from './copy-text';
import { notifyDone } from './messages/notify';

/** Copies an address, or shows it where the browser does not copy. `about` says where it leads. */
export async function copyLink(href: string, about: string): Promise<void> {
  if (await copyText(href)) notifyDone('Link copied', about);
  else notifyDone('Link to copy', href);
}
