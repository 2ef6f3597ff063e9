import own from './audit.module.css';

/** The details of an audit entry; of a change, the values before and after. */
export function AuditDetail({ detail }: { detail: Record<string, unknown> | null }) {
  if (detail === null) return <span className="dim">—</span>;
  const { before, ...after } = detail;
  if (!('before' in detail)) {
    const parts = Object.entries(after).map(([name, value]) => `${name} ${plainly(value)}`);
    return <span className="mono">{parts.join(', ')}</span>;
  }
  const [name, value] = Object.entries(after)[0] ?? ['', null];
  const [was, is] = [read(before), read(value)];
  const keys = keysThatDiffer(was, is);
  if (keys === null) {
    return (
      <span className="mono">
        {name} <del>{textOf(was)}</del> → <ins>{textOf(is)}</ins>
      </span>
    );
  }
  return (
    <ul className={own.changes}>
      {keys.map((key) => (
        <li key={key} className="mono">
          {key} <del>{textOf(flat(was)[key])}</del> → <ins>{textOf(flat(is)[key])}</ins>
        </li>
      ))}
    </ul>
  );
}

/** Policies are stored as text. */
function read(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flattens one level: `context.trigger_ratio`. */
function flat(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([group, of]): [string, unknown][] =>
      isObject(of) ? Object.entries(of).map(([key, set]) => [`${group}.${key}`, set]) : [[group, of]],
    ),
  );
}

/** Null for other values, which are shown whole. */
function keysThatDiffer(was: unknown, is: unknown): string[] | null {
  if (!isObject(was) && !isObject(is)) return null;
  const [a, b] = [flat(was), flat(is)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]),
  );
}

const plainly = (value: unknown): string =>
  Array.isArray(value) ? value.map(plainly).join(' ') : typeof value === 'string' ? value : textOf(value);

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
