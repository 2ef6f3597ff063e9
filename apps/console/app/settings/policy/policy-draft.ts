import type { Schemas } from '@spillway/client';
import type { PolicyInput } from './policy-fields';

export type Policy = Schemas['ProjectPolicy'] | Schemas['ThreadPolicy'];

type Values = Record<string, Record<string, unknown>>;

const split = (path: string): [string, string] => path.split('.') as [string, string];

/** Whether a policy sets this key itself. */
export function isSet(policy: PolicyInput, path: string): boolean {
  const [group, key] = split(path);
  return Object.hasOwn((policy as Values)[group] ?? {}, key);
}

export function valueAt(values: unknown, path: string): unknown {
  const [group, key] = split(path);
  return (values as Values)[group]?.[key];
}

/** A copy with the key set. */
export function withValue(policy: PolicyInput, path: string, value: unknown): PolicyInput {
  const [group, key] = split(path);
  return { ...policy, [group]: { ...(policy as Values)[group], [key]: value } };
}

/** A copy without the key, and without its group when that is empty then. */
export function withoutValue(policy: PolicyInput, path: string): PolicyInput {
  const [group, key] = split(path);
  const { [key]: _, ...rest } = (policy as Values)[group] ?? {};
  const { [group]: __, ...others } = policy as Values;
  return Object.keys(rest).length === 0 ? others : { ...others, [group]: rest };
}

/** A copy with another preset, or none. */
export function withPreset(policy: PolicyInput, preset: string): PolicyInput {
  const { preset: _, ...rest } = policy;
  return preset === '' ? rest : ({ preset, ...rest } as PolicyInput);
}

/** The same policy is the same text, in whatever order its keys were set. */
export const textOf = (policy: unknown): string => JSON.stringify(policy, sortedKeys);

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

export interface Explained {
  effective: Record<string, unknown>;
  sources: Record<string, string>;
}

export interface Change {
  path: string;
  before: unknown;
  after: unknown;
  /** Where the new value comes from. */
  source: string;
}

/** What saving would change: values, and sources of values. */
export const changesBetween = (before: Explained, after: Explained): Change[] =>
  Object.entries(after.sources)
    .map(([path, source]) => ({
      path,
      before: valueAt(before.effective, path),
      after: valueAt(after.effective, path),
      source,
    }))
    .filter(
      (change) =>
        JSON.stringify(change.before) !== JSON.stringify(change.after) ||
        before.sources[change.path] !== change.source,
    );

/** The API's problems by key; those without a key are under ''. */
export function problemsByPath(errors: readonly { path: string; message: string }[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of errors) {
    const parts = path.split('/').filter((part) => part !== '' && part !== 'policy');
    const of = parts.length >= 2 ? `${parts[0]}.${parts[1]}` : '';
    found[of] ??= of === '' ? `${path} ${message}` : message;
  }
  return found;
}
