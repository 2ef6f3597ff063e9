import { defaultPolicy, type Policy, type PolicyInput, type PresetName } from './policy.js';
import { presets } from './presets.js';

export type PolicyLevelName = 'server' | 'project' | 'thread' | 'call';
/** The source of a key's value. */
export type PolicySource = 'default' | `preset:${PresetName}` | PolicyLevelName;

export interface PolicyLevel {
  name: PolicyLevelName;
  policy: PolicyInput | null | undefined;
}

const groups = ['context', 'summary', 'outputs', 'chat'] as const;

/**
 * Merges levels key by key; the later level overrides: server, project, thread, call. A preset counts as part of its
 * level. A key that the server or the project locks keeps its value: later levels are ignored for it. `sources` names
 * the level that set each key, such as `context.trigger_ratio`.
 */
export function mergeLevels(levels: readonly PolicyLevel[]): {
  input: PolicyInput;
  sources: Record<string, PolicySource>;
} {
  const input: Record<(typeof groups)[number], Record<string, unknown>> = {
    context: {},
    summary: {},
    outputs: {},
    chat: {},
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

/** The levels merged in this order, without their sources. */
export const mergePolicies = (...levels: readonly (PolicyInput | null | undefined)[]): PolicyInput =>
  mergeLevels(levels.map((policy) => ({ name: 'call', policy }))).input;

/** Every key with its effective value. `input` is the merged levels. */
export function resolvePolicy(input: PolicyInput): Policy {
  return {
    context: { ...defaultPolicy.context, ...input.context },
    summary: { ...defaultPolicy.summary, ...input.summary },
    outputs: { ...defaultPolicy.outputs, ...input.outputs },
    chat: { ...defaultPolicy.chat, ...input.chat },
  };
}

/** The effective policy, with the source of each value. */
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
