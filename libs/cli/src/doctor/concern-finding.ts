import type { Schemas } from '@spillway/client';
import { counted } from '../program/counted.js';
import { problem, warning, type Finding } from './finding.js';

type Concern = Schemas['Attention']['concerns'][number];

interface Words {
  check: string;
  found: (count: number) => string;
  why: string;
  next: string;
}

/** What each kind of concern means. The API may name more kinds than this program knows. */
const words: Record<string, Words> = {
  compaction_paused: {
    check: 'compaction',
    found: (n) => `The operator paused the compaction of threads; ${n} wait for its end.`,
    why: 'Contexts leave out their oldest messages once they are full.',
    next: 'The operator ends the pause: `spillway projects resume-compaction`.',
  },
  context_refused: {
    check: 'threads',
    found: (n) => `${counted(n, 'thread')} without a context: what must stay does not fit the window.`,
    why: 'Their agents cannot go on.',
    next: 'Unpin messages, shorten the system prompt or the tools, or raise context.context_window.',
  },
  parked: {
    check: 'threads',
    found: (n) => `${counted(n, 'thread')} parked.`,
    why: 'They are not compacted until a person acts; their contexts leave out old messages.',
    next: 'Repair the reason, then `Retry all` on the jobs page, or POST /v1/queue/retry.',
  },
  unknown_model: {
    check: 'models',
    found: (n) => `${counted(n, 'thread')} with a context window of 8,192 tokens that nobody chose.`,
    why: 'Their contexts leave out or summarize what would fit the real window of the model.',
    next: 'Give the model its window: the page of models in the console, PUT /v1/models/{name}, or context.context_window of the policy. Give threads without a model one.',
  },
  last_admin_key_expires: {
    check: 'keys',
    found: () => 'The last admin key of the project is about to expire, or has expired.',
    why: 'Without one nobody manages its keys, its policy and its webhooks.',
    next: 'Make one that lasts longer: `spillway keys create --name admin --scope admin`. Once the last one has expired, the operator does: `spillway projects admin-key`.',
  },
  history_not_found: {
    check: 'proxies',
    found: (n) => `${counted(n, 'conversation')} found in no thread since yesterday.`,
    why: 'Each of these calls got a new thread, without the summaries of before: their program trims or changes what it sends.',
    next: 'Let the program name its threads: the header Spillway-Thread, metadata.spillway_thread, or a thread token.',
  },
  summary_proposed: {
    check: 'threads',
    found: (n) => `${counted(n, 'thread')} with a summary that waits for an approval.`,
    why: 'Half-way from the trigger to the limit it takes effect without one.',
    next: 'Approve or reject it: the jobs page of the console lists them.',
  },
  chat_budget_spent: {
    check: 'model',
    found: () => 'The tokens for model calls of today are spent.',
    why: 'Until midnight UTC agents get a 429 from /chat and the proxies.',
    next: 'Raise chat.max_tokens_per_day, or wait.',
  },
  key_budget_spent: {
    check: 'keys',
    found: (n) => `The tokens for model calls of today are spent with ${counted(n, 'key')}.`,
    why: 'Until midnight UTC agents with such a key get a 429 from /chat and the proxies.',
    next: 'Raise the budget: `spillway keys change <id> --tokens-per-day <n>`. Or wait.',
  },
  summary_budget_spent: {
    check: 'model',
    found: () => 'The tokens for summaries of today are spent.',
    why: 'Until midnight UTC summaries are made by code, and quote more than they conclude.',
    next: 'Raise summary.max_tokens_per_day, or wait: a model makes them anew.',
  },
  due_for_long: {
    check: 'threads',
    found: (n) => `${counted(n, 'thread')} due for too long.`,
    why: 'Workers are too slow, or take no work.',
    next: 'Look at the log of the workers; start more of them.',
  },
  backing_off_for_long: {
    check: 'threads',
    found: (n) => `${counted(n, 'thread')} in back-off for too long.`,
    why: 'Their compactions keep failing.',
    next: 'The jobs page of the console has the errors.',
  },
  near_limit: {
    check: 'threads',
    found: (n) => `${counted(n, 'thread')} near the limit.`,
    why: 'Soon their contexts leave out messages that no summary covers.',
    next: 'Check workers and model; lower context.trigger_ratio if this comes again.',
  },
  outputs_corrupt: {
    check: 'outputs',
    found: (n) => `${counted(n, 'output')} with other bytes than were stored.`,
    why: 'They cannot be read any more.',
    next: 'Restore them from a backup of the storage.',
  },
  outputs_expiring: {
    check: 'outputs',
    found: (n) => `${counted(n, 'output')} about to expire.`,
    why: 'Their content is removed then; stubs and summaries stay.',
    next: 'Pin those that are needed, or raise outputs.ttl_ms.',
  },
  sweep_refused: {
    check: 'storage',
    found: () => 'The storage has more unknown files than a sweep may remove.',
    why: 'That is what storage looks like beside a database from an older backup.',
    next: 'Delete nothing. Find out which of the two is the right one.',
  },
  sweep_failed: {
    check: 'storage',
    found: () => 'Sweeps of the storage fail.',
    why: 'Expired and erased outputs stay, and the storage grows.',
    next: 'Check permissions and credentials of the storage; the jobs page has the error.',
  },
  webhook_failing: {
    check: 'webhooks',
    found: (n) => `${counted(n, 'webhook')} failing.`,
    why: 'Their events are tried again; after five days a webhook is disabled.',
    next: 'The page of webhooks in the console has the answers of the receiver.',
  },
  webhook_disabled: {
    check: 'webhooks',
    found: (n) => `${counted(n, 'webhook')} disabled, because every delivery failed for days.`,
    why: 'Events are not sent to them.',
    next: 'Repair the receiver, then enable the webhook again on its page.',
  },
};

/** A concern of the API as a finding. */
export function concernFinding(concern: Concern): Finding {
  const { kind, severity, reason, count, thread_ids: ids, page } = concern;
  const known = Object.hasOwn(words, kind) ? words[kind]! : null;
  const exact = known?.found(count) ?? `${count}: ${kind.replaceAll('_', ' ')}.`;
  const found = concern.at_least ? `At least ${exact}` : exact;
  const details = [
    ...(reason === null ? [] : [`Reason: ${reason}.`]),
    ...(ids.length > 0 ? [`For example ${ids.join(', ')}.`] : []),
  ];
  const make = severity === 'act' ? problem : warning;
  return make(
    known?.check ?? 'attention',
    [found, ...details].join(' '),
    known?.why ?? 'The server names it as something to look at.',
    known?.next ?? `The console shows it on ${page}.`,
  );
}
