import { defaultPolicy, type Policy, type PolicyInput } from './policy.js';
import { presets } from './presets.js';

/** The later level wins, key by key: server, project, thread, call. A preset counts as part of its level. */
export function mergePolicies(...levels: readonly (PolicyInput | null | undefined)[]): PolicyInput {
  const merged: Required<Omit<PolicyInput, 'preset'>> = { context: {}, summary: {}, outputs: {} };
  const unfolded = levels.flatMap((level) => (level?.preset ? [presets[level.preset], level] : [level]));
  for (const level of unfolded) {
    Object.assign(merged.context, level?.context);
    Object.assign(merged.summary, level?.summary);
    Object.assign(merged.outputs, level?.outputs);
  }
  return merged;
}

/** Every key filled in. `input` is what the levels said, merged. */
export function resolvePolicy(input: PolicyInput): Policy {
  return {
    context: { ...defaultPolicy.context, ...input.context },
    summary: { ...defaultPolicy.summary, ...input.summary },
    outputs: { ...defaultPolicy.outputs, ...input.outputs },
  };
}
