import { threadPath } from '@/app/threads/thread-path';

export interface Jump {
  href: string;
  title: string;
  about: string;
}

/** The direct target of a text: an output's id, or `thread-id#412` for a message of a thread. */
export function jumpsOf(text: string): Jump[] {
  const output = /^out_[0-9a-f]{32}$/.exec(text);
  if (output) return [{ href: `/outputs/${text}`, title: text, about: 'Open this output' }];
  const message = /^([A-Za-z0-9._:@-]{1,200})#(\d{1,10})$/.exec(text);
  if (message?.[1] && Number(message[2]) > 0) {
    const [, id, seq] = message;
    return [{ href: threadPath(id, Number(seq)), title: `${id}#${seq}`, about: `Message ${seq} of ${id}` }];
  }
  return [];
}
