import type { Schemas } from '@spillway/client';

type PolicyInput = Schemas['PolicyInput'];

/** A number as a field has it: text while it ends in a point. */
export type Typed = number | string;

/** A one-off policy as typed; empty fields keep the thread's own values. */
export interface PolicyFields {
  /** Percent of the context window. */
  trigger: Typed;
  keepBy: 'own' | 'share' | 'turns';
  /** Percent of the window, or turns. */
  keep: Typed;
  provider: string;
  model: string;
  maxTokens: Typed;
}

export const noFields: PolicyFields = {
  trigger: '',
  keepBy: 'own',
  keep: '',
  provider: '',
  model: '',
  maxTokens: '',
};

/** Whether messages are kept by a number that is not typed: the thread's own would apply in its place. */
export const lacksKeep = ({ keepBy, keep }: PolicyFields): boolean =>
  keepBy !== 'own' && numberIn(keep) === null;

/** The policy of the fields; undefined when all are empty. */
export function policyOf(fields: PolicyFields): PolicyInput | undefined {
  const { keepBy, provider, model } = fields;
  const trigger = numberIn(fields.trigger);
  const keep = numberIn(fields.keep);
  const maxTokens = numberIn(fields.maxTokens);
  const context = {
    // An absolute trigger of the thread would override a share of the window.
    ...(trigger === null ? {} : { trigger_ratio: ratio(trigger), trigger_tokens: null }),
    ...(keepBy === 'share' && keep !== null ? { reserve_ratio: ratio(keep), keep_recent_turns: null } : {}),
    ...(keepBy === 'turns' && keep !== null ? { keep_recent_turns: keep } : {}),
  };
  const summary = {
    ...(provider === '' ? {} : { provider: provider as SummaryProvider }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
  };
  const policy = {
    ...(Object.keys(context).length > 0 ? { context } : {}),
    ...(Object.keys(summary).length > 0 ? { summary } : {}),
  };
  return Object.keys(policy).length > 0 ? policy : undefined;
}

type SummaryProvider = NonNullable<NonNullable<PolicyInput['summary']>['provider']>;

/** A provider of the API that is missing here does not compile. */
export const providers = Object.keys({
  extractive: true,
  'openai-compatible': true,
  openai: true,
  anthropic: true,
  google: true,
} satisfies Record<SummaryProvider, true>) as SummaryProvider[];

/** The number in a field; null when there is none yet, as in `0.`. */
const numberIn = (typed: Typed): number | null => (Number(typed) > 0 ? Number(typed) : null);

const ratio = (percent: number): number => Math.round(percent * 1e6) / 1e8;

/** The highest trigger, in percent, at which a context of this size is due. */
export const triggerBelow = (tokens: number, window: number): number =>
  Math.max(0.01, Math.min(90, Math.floor((tokens / window) * 10_000) / 100));
