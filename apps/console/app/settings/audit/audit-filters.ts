/** What can be shown alone: changes, or reads of content. */
export const kinds = ['changes', 'reads'] as const;
type Kind = (typeof kinds)[number];

/** The filters of the audit log in the URL. Days are in UTC, like the log's times. */
export interface AuditFilters {
  actor: string;
  kind: Kind | '';
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
    kind: kinds.find((kind) => kind === param('kind')) ?? '',
    action: param('action') ?? '',
    target: param('target') ?? '',
    from: dayOf('from'),
    to: dayOf('to'),
  };
}

/** The API's query; `to` is the last day shown, so the range ends with the next one. */
export function auditQueryOf({ actor, kind, action, target, from, to }: AuditFilters) {
  const next = to === '' ? undefined : new Date(Date.parse(to) + 86_400_000).toISOString();
  return {
    ...(actor === '' ? {} : { actor }),
    ...(kind === '' ? {} : { kind }),
    ...(action === '' ? {} : { action }),
    ...(target === '' ? {} : { target }),
    ...(from === '' ? {} : { from: `${from}T00:00:00.000Z` }),
    ...(next === undefined ? {} : { to: next }),
  };
}
