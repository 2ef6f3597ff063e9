/** The filters of the audit log in the URL. Days are in UTC, like the log's times. */
export interface AuditFilters {
  actor: string;
  action: string;
  target: string;
  /** YYYY-MM-DD */
  from: string;
  to: string;
}

const day = /^\d{4}-\d{2}-\d{2}$/;

export function readAuditFilters(param: (name: string) => string | null): AuditFilters {
  const dayOf = (name: string) => {
    const value = param(name) ?? '';
    return day.test(value) && !Number.isNaN(Date.parse(value)) ? value : '';
  };
  return {
    actor: param('actor') ?? '',
    action: param('action') ?? '',
    target: param('target') ?? '',
    from: dayOf('from'),
    to: dayOf('to'),
  };
}

/** The API's query; `to` is the last day shown, so the range ends with the next one. */
export function auditQueryOf({ actor, action, target, from, to }: AuditFilters) {
  const next = to === '' ? undefined : new Date(Date.parse(to) + 86_400_000).toISOString();
  return {
    ...(actor === '' ? {} : { actor }),
    ...(action === '' ? {} : { action }),
    ...(target === '' ? {} : { target }),
    ...(from === '' ? {} : { from: `${from}T00:00:00.000Z` }),
    ...(next === undefined ? {} : { to: next }),
  };
}

/** Known actions; the field accepts others as well. */
export const knownActions = [
  'compaction.requested',
  'content.read',
  'instruction.added',
  'instruction.approved',
  'instruction.dismissed',
  'key.created',
  'key.revoked',
  'message.erased',
  'message.kept',
  'message.pinned',
  'message.released',
  'message.unpinned',
  'model.overridden',
  'model.override_removed',
  'output.pin_changed',
  'policy.changed',
  'session.ended',
  'session.started',
  'summary.approved',
  'summary.rejected',
  'summary.restored',
  'summary.undone',
  'summary.withdrawn',
  'summary.written',
  'thread.erased',
  'thread.forked',
  'thread.policy_changed',
  'thread.rewound',
  'thread.retried',
];
