import { createHash, randomUUID } from 'node:crypto';
import type { Append, NewMessage } from '@spillway/store';

/** A message as the store takes it. */
export function message(clientId: string | null, body: string): NewMessage {
  return {
    ...{ clientId, role: 'user', pinned: false, tokens: 17, fullTokens: 17, calls: null, answers: null },
    ...{ body, hash: createHash('sha256').update(body).digest(), outputId: null, outputs: [] },
    ...{ format: 'openai', images: 0, media: null, mediaHashes: [], sentAt: null },
  };
}

/** An append to a thread that is known to exist. */
export const appendTo = (projectId: string, threadId: string, messages: NewMessage[]): Append => ({
  ...{ projectId, threadId, newUid: randomUUID(), baseTokens: 3 },
  ...{ contextWindow: 1_000, limitTokens: 500, triggerTokens: 400, summaryEnabled: true },
  ahead: { tokens: null, makeAfterMs: null, idleMs: null },
  ...{ settingsVersion: 1, policyVersion: 1, ifLastSeq: null },
  ...{ messages, weight: 17 * messages.length, leading: 0 },
});
