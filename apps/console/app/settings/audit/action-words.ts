/** Every action that is recorded, in words. */
const words: Record<string, string> = {
  'compaction.paused': 'Paused the compaction of threads',
  'compaction.requested': 'Requested a compaction',
  'compaction.resumed': 'Resumed the compaction of threads',
  'instruction.added': 'Added a standing instruction',
  'instruction.approved': 'Approved a standing instruction',
  'instruction.dismissed': 'Dismissed a standing instruction',
  'key.budget_changed': 'Changed the budget of a key',
  'key.created': 'Created a key',
  'key.renamed': 'Renamed a key',
  'key.revoked': 'Revoked a key',
  'message.erased': 'Erased a message',
  'message.kept': 'Kept a message',
  'message.pinned': 'Pinned a message',
  'message.released': 'Released a message',
  'message.unpinned': 'Unpinned a message',
  'model.overridden': 'Changed a model',
  'model.override_removed': 'Removed the override of a model',
  'output.pin_changed': 'Pinned or unpinned an output',
  'policy.changed': 'Changed the policy',
  'project.created': 'Created the project',
  'project.erased': 'Erased the project',
  'project.resumed': 'Resumed the project',
  'project.suspended': 'Suspended the project',
  'request.refused': 'Refused a request',
  'session.ended': 'Signed out',
  'session.proved': 'Showed the key again',
  'session.started': 'Signed in',
  'summary.approved': 'Approved a summary',
  'summary.rejected': 'Rejected a summary',
  'summary.restored': 'Restored a summary',
  'summary.undone': 'Undid a fold',
  'summary.withdrawn': 'Quarantined a summary',
  'summary.written': 'Wrote a summary',
  'thread.erased': 'Erased a thread',
  'thread.forked': 'Forked a thread',
  'thread.policy_changed': 'Changed the policy of a thread',
  'thread.restored': 'Restored a thread from a backup',
  'thread.retried': 'Retried a thread',
  'thread.rewound': 'Took messages back',
  'token.created': 'Issued a token of a thread',
  'token.revoked': 'Revoked a token of a thread',
  'upstream.changed': 'Changed an upstream',
  'upstream.created': 'Added an upstream',
  'upstream.removed': 'Removed an upstream',
  'webhook.changed': 'Changed a webhook',
  'webhook.created': 'Added a webhook',
  'webhook.disabled': 'Disabled a webhook',
  'webhook.enabled': 'Enabled a webhook',
  'webhook.redelivered': 'Sent a delivery again',
  'webhook.removed': 'Removed a webhook',
  'webhook.secret_rotated': 'Rotated the secret of a webhook',
  'webhook.tested': 'Sent a test event to a webhook',
};

/** The actions that the filter offers; it accepts others as well. */
export const knownActions: readonly string[] = ['content.read', ...Object.keys(words)].sort();

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

/** An audit action in words. An unknown one is shown unchanged. */
export function actionWords(action: string, target: string): string {
  if (action === 'content.read') {
    const path = target.split('?')[0]!;
    return reads.find(([pattern]) => pattern.test(path))?.[1] ?? 'Read content';
  }
  return words[action] ?? action.replaceAll(/[._]/g, ' ');
}
