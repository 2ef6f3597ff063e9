import type { Schemas } from '@spillway/client';
import { fixedContentWords } from '@/app/attempts/fixed-content-words';
import { noWorkerAdvice } from '@/app/attempts/no-worker-advice';
import { reasonWords } from '@/app/attempts/reason-words';
import { withExactTimes } from '@/ui/exact-time';
import { count, plural } from '@/ui/quantity';

type Concern = Schemas['Concern'];

interface Words {
  title: string;
  detail: string;
  /** The label of the link. */
  action: string;
}

type ModelHealth = Pick<Schemas['ModelHealth'], 'waiting' | 'next_try_at'>;

/** Threads that wait without a next try are parked for the key of the model. */
function modelAdvice(model: ModelHealth | null): string {
  if (model?.next_try_at) return 'Attempts are repeated. Check the provider and its settings.';
  return model && model.waiting > 0
    ? 'No attempt is repeated by itself: correct the key, the model or its address, start the workers again, then retry the parked threads.'
    : 'The next compaction tries again. Check the provider and its settings.';
}

const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const are = (n: number): string => (n === 1 ? 'is' : 'are');

/**
 * A concern in words: the problem and its meaning. An unknown one is shown unchanged. The model's health says whether
 * anything is tried again.
 */
export function concernWords(
  { kind, reason, count: n, at_least: atLeast, detail }: Concern,
  model: ModelHealth | null = null,
): Words {
  switch (kind) {
    case 'model_failing':
      return {
        title: `The summary model fails: ${plural(n, 'attempt')} failed`,
        detail: `${reason ? `${reason.replace(/[.\s]+$/, '')}. ` : ''}Contexts are served meanwhile. ${modelAdvice(model)}`,
        action: 'View attempts',
      };
    case 'context_refused':
      return {
        title: `${atLeast ? 'At least ' : ''}${plural(n, 'thread')} cannot serve a context: prompt exceeds the limit`,
        detail: detail ? fixedContentWords(detail) : '',
        action: 'Review',
      };
    case 'parked': {
      const { name, why } = reasonWords(reason ?? '');
      return { title: `${plural(n, 'thread')} parked: ${name}`, detail: why, action: 'Review' };
    }
    case 'unknown_model':
      return {
        title: `${atLeast ? 'At least ' : ''}${plural(n, 'thread')} with a window of 8,192 tokens that nobody chose`,
        detail: `${reason ? `${sentenceStart(reason)}. ` : ''}What would fit the real window is left out or summarized. Give the model its window, or set context.context_window in the policy; give threads without a model one.`,
        action: 'View models',
      };
    case 'last_admin_key_expires':
      return {
        title: `The last admin key ${withExactTimes(reason ?? 'expires')}`,
        detail:
          'Without an admin key nobody manages the keys, the policy and the webhooks of this project. Make another one that lasts longer. After the last one has expired, only the operator of the server can.',
        action: 'View keys',
      };
    case 'history_not_found':
      return {
        title: `${plural(n, 'conversation')} ${n === 1 ? 'was' : 'were'} found in no thread`,
        detail: `Since yesterday ${reason ?? 'calls that had an answer in their history'} got a new thread each, without the summaries of before. Their program trims or changes what it sends: let it name its threads, with the header Spillway-Thread or metadata.spillway_thread.`,
        action: 'View threads',
      };
    case 'summary_proposed':
      return {
        title: `${n === 1 ? '1 summary waits' : `${count(n)} summaries wait`} for an approval`,
        detail:
          'The model gets the messages themselves until then. Half-way from the trigger to the limit a summary takes effect without an approval.',
        action: 'Review',
      };
    case 'chat_budget_spent':
      return {
        title: `The tokens for model calls of today are spent: ${reason ?? ''}`,
        detail:
          'Until midnight UTC agents get a 429 from /chat and the proxies. Messages are recorded and contexts served as before.',
        action: 'View policy',
      };
    case 'key_budget_spent':
      return {
        title: `The tokens for model calls of today are spent with ${plural(n, 'key')}`,
        detail: `${reason ? `${reason}. ` : ''}Until midnight UTC agents with ${n === 1 ? 'this key' : 'these keys'} get a 429 from /chat and the proxies. Messages are recorded and contexts served as before.`,
        action: 'View keys',
      };
    case 'summary_budget_spent':
      return {
        title: `The tokens for summaries of today are spent: ${reason ?? ''}`,
        detail:
          'Until midnight UTC summaries are made by code, without a model. A model makes them anew afterwards.',
        action: 'View policy',
      };
    case 'no_worker':
      return {
        title: 'No worker is connected',
        detail:
          'Compactions wait, and contexts over the limit leave messages out. Check that a worker runs and reaches Redis and Postgres.',
        action: 'View queue',
      };
    case 'compaction_paused':
      return {
        title: `The operator paused the compaction of ${withExactTimes(reason ?? 'threads')}`,
        detail: `${n === 0 ? 'No thread waits' : `${plural(n, 'thread')} ${n === 1 ? 'waits' : 'wait'}`} for its end. Contexts stay within their budget, and leave messages out once they are full.`,
        action: 'View queue',
      };
    case 'due_for_long':
      return {
        title: `${plural(n, 'thread')} due for more than a minute`,
        detail: `No worker claims them. ${noWorkerAdvice}`,
        action: 'View queue',
      };
    case 'backing_off_for_long':
      return {
        title: `${plural(n, 'thread')} retrying for more than 10 minutes`,
        detail: 'The provider keeps failing. The threads are retried automatically.',
        action: 'View errors',
      };
    case 'near_limit':
      return {
        title: `${plural(n, 'thread')} close to or over the limit`,
        detail: 'Live tokens exceed 95% of the limit. Over the limit, messages are being left out.',
        action: 'View threads',
      };
    case 'outputs_corrupt':
      return {
        title: `${plural(n, 'output')} corrupt`,
        detail: 'The stored bytes differ from what was written, so they are not served. Check the storage.',
        action: 'View outputs',
      };
    case 'outputs_expiring':
      return {
        title: `${n >= 1000 ? `${count(n)} or more outputs expire` : `${plural(n, 'output')} ${n === 1 ? 'expires' : 'expire'}`} within 24 hours`,
        detail: 'Pin the outputs that an agent still needs. Their stubs stay in any case.',
        action: 'View outputs',
      };
    case 'sweep_refused':
      return { title: 'The storage was not swept', detail: reason ?? '', action: 'View sweeps' };
    case 'sweep_failed':
      return { title: 'A sweep could not remove everything', detail: reason ?? '', action: 'View sweeps' };
    case 'webhook_disabled':
      return {
        title: n === 1 ? 'A webhook is disabled' : `${count(n)} webhooks are disabled`,
        detail:
          reason === 'gone'
            ? 'Its server answered 410 Gone. Events since then are not sent.'
            : 'Every delivery failed for days. Events since then are not sent.',
        action: 'View webhooks',
      };
    case 'webhook_failing':
      return {
        title: n === 1 ? 'A webhook is failing' : `${count(n)} webhooks are failing`,
        detail:
          'Its deliveries have failed for more than 10 minutes and are retried. After five days without a success a webhook is disabled.',
        action: 'View webhooks',
      };
    default:
      return {
        title: `${count(n)} ${are(n)} ${kind.replaceAll('_', ' ')}`,
        detail: reason ?? '',
        action: 'View',
      };
  }
}
