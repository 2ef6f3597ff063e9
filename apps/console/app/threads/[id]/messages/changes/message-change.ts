import { browserApi, dataOf, doneOf } from '@/ui/access/browser-api';
import { count, plural } from '@/ui/quantity';

/** What may be done with a recorded message. */
export interface MessageChange {
  name: 'pin' | 'unpin' | 'keep' | 'release' | 'rewind' | 'erase';
  seq: number;
  /** The last message that is kept or released; null while none is typed. */
  through: number | null;
  /** The newest message when the change was asked for: a rewind takes no later one with it. */
  newest: number;
}

/** Does a change. Returns what it did: a title, and a sentence. */
export async function applyChange(threadId: string, change: MessageChange): Promise<[string, string]> {
  const { name, seq, through, newest } = change;
  const thread = { path: { id: threadId } };
  const message = { path: { id: threadId, seq } };
  switch (name) {
    case 'pin':
    case 'unpin': {
      const body = { pinned: name === 'pin' };
      await dataOf(browserApi.PATCH('/v1/threads/{id}/messages/{seq}', { params: message, body }));
      return body.pinned
        ? ['Pinned', `Every context contains message ${count(seq)}.`]
        : ['Unpinned', `Message ${count(seq)} may be summarized.`];
    }
    case 'keep': {
      const body = { from_seq: seq, to_seq: through ?? seq };
      const kept = await dataOf(browserApi.POST('/v1/threads/{id}/messages/keep', { params: thread, body }));
      return [
        'Kept',
        `${plural(kept.seqs.length, 'message')} with calls and results. All kept messages take ` +
          `${count(kept.kept_tokens)} of ${count(kept.max_kept_tokens)} tokens.`,
      ];
    }
    case 'release': {
      const body = { from_seq: seq, to_seq: through ?? seq };
      const { seqs } = await dataOf(
        browserApi.POST('/v1/threads/{id}/messages/release', { params: thread, body }),
      );
      return ['Released', `${plural(seqs.length, 'message')}, from the next fold on.`];
    }
    case 'rewind': {
      const params = { ...thread, header: { 'if-match': `"${newest}"` } };
      const { messages } = await dataOf(
        browserApi.POST('/v1/threads/{id}/rewind', { params, body: { to_seq: seq } }),
      );
      return ['Rewound', `${plural(messages, 'message')} left the context.`];
    }
    case 'erase':
      await doneOf(browserApi.DELETE('/v1/threads/{id}/messages/{seq}', { params: message }));
      return ['Erased', `The content of message ${count(seq)} is gone.`];
  }
}
