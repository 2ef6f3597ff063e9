import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';

type Detail = Schemas['FixedContent'];

/** Why a thread is stuck and what repairs it, with the API's numbers. */
export function fixedContentWords(detail: Detail): string {
  const { fixed_tokens: fixed, limit_tokens: limit, trigger_tokens: trigger } = detail;
  const over = detail.serves_context ? `trigger is ${count(trigger)}` : `limit is ${count(limit)}`;
  return `Fixed content needs ${count(fixed)} tokens; ${over}. ${repairWords(detail)}`;
}

function repairWords({ smallest_window: window }: Detail): string {
  return window === null
    ? 'Raise the trigger or shorten the prompt.'
    : `Raise the window to at least ${count(window)} or shorten the prompt.`;
}

/** Where to change the policy of a thread. */
export const threadPolicyPath = (threadId: string): string =>
  `/settings/policy?thread=${encodeURIComponent(threadId)}`;
