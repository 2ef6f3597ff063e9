import {
  factsField,
  placeholdersOf,
  policyProblems,
  resolvePolicy,
  SpillwayError,
  summaryFieldNames,
  type Policy,
  type PolicyInput,
  type PolicyProblem,
} from '@spillway/engine';
import { schemaProblems } from '@spillway/llm';
import type { ThreadSettings } from './settings.js';

/** The names of configured providers. */
type Providers = Pick<ReadonlySet<string>, 'has'>;

/** Finds unsupported schemas, and templates that name missing fields. */
function summaryFormProblems({ schema, template }: Policy['summary']): PolicyProblem[] {
  const problems: PolicyProblem[] = (schema ? schemaProblems(schema) : []).map(({ path, message }) => ({
    path: `/summary/schema${path}`,
    message,
  }));
  const fields = [...(schema ? Object.keys(schema.properties ?? {}) : summaryFieldNames), factsField];
  const unknown = template === null ? [] : placeholdersOf(template).filter((name) => !fields.includes(name));
  if (unknown.length > 0)
    problems.push({ path: '/summary/template', message: `names unknown fields: ${unknown.join(', ')}` });
  return problems;
}

/** The problems of a policy in this context window, with the paths of the conflicting keys. */
export const problemsOf = (settings: ThreadSettings, providers: Providers): PolicyProblem[] => [
  ...policyProblems(settings.input, settings.budget.contextWindow),
  ...summaryProblems(settings.policy, providers),
];

/**
 * No model has a larger window, and no policy may set one: what conflicts in it by its ratios conflicts in every
 * window.
 */
export const largestWindow = 100_000_000;

/**
 * The problems of the server's level, whatever the model of a thread is. A trigger in tokens is compared with ratios in
 * the context window that the level sets itself, if it sets one.
 */
export function serverPolicyProblems(input: PolicyInput, providers: Providers): PolicyProblem[] {
  const { context_window: window, trigger_tokens: trigger } = input.context ?? {};
  const compared = window ?? (trigger ? null : largestWindow);
  const context = compared === null ? [] : policyProblems(input, compared);
  return [...context, ...summaryProblems(resolvePolicy(input), providers)];
}

function summaryProblems({ summary }: Policy, providers: Providers): PolicyProblem[] {
  const problems = summaryFormProblems(summary);
  if (providers.has(summary.provider)) return problems;
  const message = 'is not configured on this server: see SPILLWAY_LLM_PROVIDER';
  return [...problems, { path: '/summary/provider', message }];
}

/** Throws `invalid_request` with the problems of a policy. `root` is where the policy stands in the request. */
export function refuseBadPolicy(
  settings: ThreadSettings,
  providers: Providers,
  root: '' | '/policy' = '/policy',
): void {
  const problems = problemsOf(settings, providers);
  if (problems.length > 0) {
    const errors = problems.map((problem) => ({ ...problem, path: `${root}${problem.path}` }));
    throw new SpillwayError('invalid_request', 'The policy is invalid: see errors.', errors);
  }
}
