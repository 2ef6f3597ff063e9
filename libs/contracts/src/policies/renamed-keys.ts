import type { z } from 'zod';

/** Keys of a policy by their former names. A request that uses one is refused with the name to use. */
const renamedKeys: Readonly<Record<string, string>> = {
  'context.max_tokens': 'context.trigger_tokens',
  'context.output_reserve': 'context.response_reserve',
  'outputs.limit_tokens': 'outputs.threshold_tokens',
};

const messageOf = (key: string): string => `was renamed: use ${renamedKeys[key]}`;

/** Refuses a lock on a former key. A lock on an unknown key would protect nothing. */
export function refuseRenamedLock(key: string, context: z.RefinementCtx): void {
  if (Object.hasOwn(renamedKeys, key)) context.addIssue({ code: 'custom', message: messageOf(key) });
}

/**
 * Replaces the generic issue of each former key in a group of the policy with one that names the new key. It has to run
 * when the group is invalid already, so it is added with `when: () => true`.
 */
export const explainRenamedKeys =
  (group: 'context' | 'outputs') =>
  (_value: unknown, context: z.RefinementCtx): void => {
    const isRenamed = (key: string) => Object.hasOwn(renamedKeys, `${group}.${key}`);
    context.issues = context.issues.flatMap<z.core.$ZodRawIssue>((issue) => {
      if (issue.code !== 'unrecognized_keys') return [issue];
      const renamed = issue.keys.filter(isRenamed).map((key) => ({
        code: 'custom' as const,
        path: [key],
        message: messageOf(`${group}.${key}`),
        input: issue.input,
      }));
      const keys = issue.keys.filter((key) => !isRenamed(key));
      return keys.length > 0 ? [{ ...issue, keys }, ...renamed] : renamed;
    });
  };
