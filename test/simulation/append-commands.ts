import { createHash } from 'node:crypto';
import { append, appendGroup, type Append, type NewMessage } from '@spillway/store';
import type { Command, Scene } from './store-commands.js';

function message({ chance }: Scene): NewMessage {
  const tokens = 1 + chance.below(60);
  const body = JSON.stringify({ role: 'user', content: `said ${chance.below(3)}` });
  return {
    clientId: chance.happens(0.5) ? `id-${chance.below(12)}` : null,
    role: chance.pick(['user', 'assistant', 'tool', 'system']),
    pinned: chance.happens(0.1),
    tokens,
    fullTokens: tokens + chance.below(9),
    calls: chance.happens(0.2) ? '["a"]' : null,
    answers: chance.happens(0.2) ? '["a"]' : null,
    body,
    hash: createHash('sha256').update(body).digest(),
    outputId: null,
    outputs: [],
    format: 'openai',
    images: chance.below(2),
    media: null,
    mediaHashes: [],
    sentAt: chance.happens(0.2) ? `2026-01-0${1 + chance.below(9)}T10:00:00.${chance.below(9)}+02:00` : null,
  };
}

function postedTo(scene: Scene, threadId: string, policyVersion: number): Append {
  const { chance, projectId, seen } = scene;
  const messages = Array.from({ length: 1 + chance.below(3) }, () => message(scene));
  return {
    projectId,
    threadId,
    newUid: scene.newUid(),
    baseTokens: 3,
    contextWindow: 1_000,
    limitTokens: 500,
    triggerTokens: chance.pick([100, 200, 400]),
    summaryEnabled: chance.happens(0.9),
    ahead: {
      tokens: chance.pick([null, 60, 150]),
      makeAfterMs: chance.pick([null, 0, 3_600_000]),
      idleMs: chance.pick([null, 0, 3_600_000]),
    },
    settingsVersion: scene.settingsVersion - (chance.happens(0.1) ? 1 : 0),
    policyVersion: chance.happens(0.1) ? 7 : policyVersion,
    ifLastSeq: chance.happens(0.8) ? null : (seen?.headSeq ?? 0) + chance.pick([0, 0, 1]),
    messages,
    weight: messages.reduce((sum, one) => sum + one.tokens, 0),
    leading: chance.below(2),
  };
}

export function appendCommand(scene: Scene): Command {
  const posted = postedTo(scene, scene.threadId, scene.seen?.policyVersion ?? 0);
  return { name: 'append', run: (query) => append(query, posted) };
}

/** Several threads at once: one that was looked at, others as they come, one that never exists. */
export function groupCommand(scene: Scene): Command {
  const others = ['a', 'b', 'never'].filter((id) => id !== scene.threadId && scene.chance.happens(0.6));
  const appends = [
    postedTo(scene, scene.threadId, scene.seen?.policyVersion ?? 0),
    ...others.map((id) => postedTo(scene, id, 1 + scene.chance.below(2))),
  ];
  return {
    name: 'append-group',
    run: async (query) => {
      const rows = await appendGroup(query, appends);
      return rows.some((row) => row !== undefined) && rows;
    },
  };
}
