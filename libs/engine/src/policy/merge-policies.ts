import { defaultPolicy, type Policy, type PolicyInput, type PresetName } from './policy.js';
import { presets } from './presets.js';

export type PolicyLevelName = 'server' | 'project' | 'thread' | 'call';
/** Where the value of a key comes from. */
export type PolicySource = 'default' | `preset:${PresetName}` | PolicyLevelName;

export interface PolicyLevel {
  name: PolicyLevelName;
  policy: PolicyInput | null | undefined;
}

const groups = ['context', 'summary', 'outputs'] as const;

/**
 * The later level wins, key by key: server, project, thread, call. A preset counts as part of its level. A key that the
 * server or the project locks keeps its value: what later levels say of it is ignored. `sources` says of each key that
 * some level set, as `context.trigger_ratio`, which one won.
 */
export function mergeLevels(levels: readonly PolicyLevel[]): {
  input: PolicyInput;
  sources: Record<string, PolicySource>;
} {
  const input: Record<(typeof groups)[number], Record<string, unknown>> = {
    context: {},
    summary: {},
    outputs: {},
  };
  const sources: Record<string, PolicySource> = {};
  const locked = new Set<string>();
  const add = (source: PolicySource, policy: PolicyInput) => {
    for (const group of groups) {
      for (const [key, value] of Object.entries(policy[group] ?? {})) {
        if (locked.has(`${group}.${key}`)) continue;
        input[group][key] = value;
        sources[`${group}.${key}`] = source;
      }
    }
  };
  for (const { name, policy } of levels) {
    if (policy?.preset) add(`preset:${policy.preset}`, presets[policy.preset]);
    if (policy) add(name, policy);
    // A row may hold locks that an earlier version ignored; only the server and the project have any.
    if (name === 'server' || name === 'project') for (const key of policy?.locks ?? []) locked.add(key);
  }
  return { input, sources };
}

/** The keys, as `summary.provider`, that a policy sets although one of these levels locks them. */
export function lockedKeys(levels: readonly PolicyLevel[], policy: PolicyInput): string[] {
  const locks = new Set(levels.flatMap((level) => level.policy?.locks ?? []));
  const keys = groups.flatMap((group) => Object.keys(policy[group] ?? {}).map((key) => `${group}.${key}`));
  return keys.filter((key) => locks.has(key));
}

/** The levels merged, in this order, for who does not ask where a value comes from. */
export const mergePolicies = (...levels: readonly (PolicyInput | null | undefined)[]): PolicyInput =>
  mergeLevels(levels.map((policy) => ({ name: 'call', policy }))).input;

/** Every key filled in. `input` is what the levels said, merged. */
export function resolvePolicy(input: PolicyInput): Policy {
  return {
    context: { ...defaultPolicy.context, ...input.context },
    summary: { ...defaultPolicy.summary, ...input.summary },
    outputs: { ...defaultPolicy.outputs, ...input.outputs },
  };
}

/** What applies, with where each of its values comes from. */
export function explainPolicy(levels: readonly PolicyLevel[]): {
  effective: Policy;
  sources: Record<string, PolicySource>;
} {
  const { input, sources } = mergeLevels(levels);
  const effective = resolvePolicy(input);
  const paths = groups.flatMap((group) => Object.keys(effective[group]).map((key) => `${group}.${key}`));
  return {
    effective,
    sources: Object.fromEntries(paths.map((path) => [path, sources[path] ?? 'default'])),
  };
}
