import { AccessError, type Schemas, type Spillway } from '@spillway/client';
import { readKeys, type Key } from '../keys/read-keys.js';
import { allowedOrNull, isForbidden } from './allowed-or-null.js';
import { notChecked, ok, problem, warning, type Finding } from './finding.js';

type Current = Schemas['SessionCurrent'];

/** Whether the key is valid, what it may do and when it expires. */
export async function checkKey(spillway: Spillway): Promise<Finding[]> {
  let current: Current;
  try {
    current = await spillway.call<Current>({ method: 'GET', path: '/v1/sessions/current' });
  } catch (error) {
    if (error instanceof AccessError && error.code === 'project_suspended') return [suspended];
    // Who is known and may not ask this holds a token for one thread.
    if (isForbidden(error)) return [ok('key', 'A valid token for one thread: it sees nothing else.')];
    if (!(error instanceof AccessError)) throw error;
    return [
      problem(
        'key',
        `The server refuses the key: ${error.message}`,
        'Every request is answered with 401.',
        'Set SPILLWAY_KEY to a live key: `spillway keys create` or the console makes one.',
      ),
    ];
  }
  const { key, project, scopes } = current;
  const valid = ok('key', `${key.name || key.prefix} of the project ${project.name}: ${scopes.join(', ')}.`);
  return [valid, ...scopeFindings(scopes), ...(await expiry(spillway, key.id, scopes))];
}

const suspended = problem(
  'key',
  'The operator of the service has suspended the project of the key.',
  'Every request is answered with 403.',
  'Ask the operator to resume the project; nothing of it is lost.',
);

/** What a key cannot do without a scope. admin includes all others. */
const uses: [Schemas['Scope'], string][] = [
  ['context:read', '`threads`, `context`, `search`, `tail` and `export`'],
  ['outputs:read', 'reading stored outputs'],
  ['messages:write', '`fork`, `import` and `replay`, and recording messages'],
];

function scopeFindings(scopes: readonly Schemas['Scope'][]): Finding[] {
  if (scopes.includes('admin')) return [];
  const missing = uses.filter(([scope]) => !scopes.includes(scope));
  return missing.map(([scope, use]) =>
    warning(
      'scopes',
      `The key lacks the scope ${scope}.`,
      `It cannot be used for ${use}.`,
      'That is right if it need not. Otherwise make a key with that scope.',
    ),
  );
}

const soonMs = 14 * 86_400_000;

/** When the key expires: only a key with the scope admin can see that. */
async function expiry(spillway: Spillway, id: string, scopes: readonly string[]): Promise<Finding[]> {
  if (!scopes.includes('admin'))
    return [notChecked('key expiry', 'Only a key with the scope admin sees that.')];
  const key = await allowedOrNull(keyOf(spillway, id));
  const expires = key?.expires_at;
  if (expires === undefined) return [];
  if (expires === null) return [ok('key expiry', 'The key does not expire.')];
  if (Date.parse(expires) - Date.now() > soonMs)
    return [ok('key expiry', `The key is valid until ${expires}.`)];
  return [
    warning(
      'key expiry',
      `The key expires at ${expires}.`,
      'From then on every request is answered with 401.',
      'Make another one with `spillway keys create` and use it.',
    ),
  ];
}

async function keyOf(spillway: Spillway, id: string): Promise<Key | undefined> {
  for await (const key of readKeys(spillway)) if (key.id === id) return key;
  return undefined;
}
