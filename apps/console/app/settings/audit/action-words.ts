/** An audit action in words. An unknown one is shown unchanged. */
const words: Record<string, string> = {
  'thread.erased': 'Erased a thread',
  'message.erased': 'Erased a message',
  'message.kept': 'Kept a message',
  'message.released': 'Released a message',
  'key.created': 'Created a key',
  'key.revoked': 'Revoked a key',
  'policy.changed': 'Changed the policy',
  'model.changed': 'Changed a model',
  'model.removed': 'Removed the override of a model',
  'upstream.created': 'Added an upstream',
  'upstream.changed': 'Changed an upstream',
  'upstream.removed': 'Removed an upstream',
  'thread.rewound': 'Took messages back',
  'thread.forked': 'Forked a thread',
  'thread.restored': 'Restored a thread from a backup',
  'output.pinned': 'Pinned an output',
  'output.unpinned': 'Unpinned an output',
  'summary.restored': 'Restored a summary',
  'summary.approved': 'Approved a summary',
  'summary.rejected': 'Rejected a summary',
  'summary.undone': 'Undid a fold',
  'summary.written': 'Wrote a summary',
  'summary.quarantined': 'Quarantined a summary',
  'instruction.added': 'Added a standing instruction',
  'instruction.approved': 'Approved a standing instruction',
  'instruction.dismissed': 'Dismissed a standing instruction',
  'session.started': 'Signed in',
  'session.ended': 'Signed out',
};

/** The content at a path of the API. The first match applies. */
const reads: readonly (readonly [RegExp, string])[] = [
  [/\/outputs\/[^/]+\/grep/, 'Searched an output'],
  [/\/outputs\//, 'Read an output'],
  [/\/outputs$/, 'Listed outputs'],
  [/\/export/, 'Exported a thread'],
  [/\/backup/, 'Backed a thread up'],
  [/\/search/, 'Searched a thread'],
  [/\/context/, 'Read the context of a thread'],
  [/\/summaries\/\d+\/facts/, 'Read the facts check of a summary'],
  [/\/instructions/, 'Read the standing instructions of a thread'],
  [/\/summaries/, 'Read the summaries of a thread'],
  [/\/compactions/, 'Read the compactions of a thread'],
  [/\/messages/, 'Read messages of a thread'],
  [/\/map/, 'Read the map of a thread'],
  [/\/threads\/[^/]+$/, 'Opened a thread'],
  [/\/threads/, 'Listed threads'],
];

export function actionWords(action: string, target: string): string {
  if (action === 'content.read') {
    const path = target.split('?')[0]!;
    return reads.find(([pattern]) => pattern.test(path))?.[1] ?? 'Read content';
  }
  return words[action] ?? action.replaceAll(/[._]/g, ' ');
}
