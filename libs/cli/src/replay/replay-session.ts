import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Schemas, Thread } from '@spillway/client';
import type { ImportedMessage, ImportedSession } from '../import/imported-session.js';
import { batchesOf, placedError, postedMessages } from '../import/post-batches.js';
import type { Environment } from '../program/command.js';
import { failuresOf, type Failure } from './context-checks.js';

/** As long as a call of a model takes: a fold that is in progress has this time. */
const modelCallMs = 2_000;
const lookEveryMs = 20;

export interface Replayed {
  messages: number;
  model_calls: number;
  /** Input tokens of all calls: with all messages each time, and with the contexts of Spillway. */
  tokens_without: number;
  tokens_with: number;
  /** Calls for which all messages would not have fitted the model's window. */
  over_window: number;
  /** Contexts that left out messages which no summary covered yet. */
  degraded: number;
  /** Generations of the summary. */
  folds: number;
  failures: Failure[];
}

/** A step of an agent: what it posts before a call of the model. */
interface Step {
  posted: ImportedMessage[];
  /** The model is called then. */
  isCall: boolean;
}

/** Posts a session as its agent would, and looks at the context before each call of the model. */
export async function replaySession(
  thread: Thread,
  session: ImportedSession,
  { file, env, show }: { file: string; env: Environment; show: (posted: number, context: Context) => void },
): Promise<Replayed> {
  const replayed: Replayed = {
    messages: 0,
    model_calls: 0,
    tokens_without: 0,
    tokens_with: 0,
    over_window: 0,
    degraded: 0,
    folds: 0,
    failures: [],
  };
  let before: Context | null = null;
  for (const { posted, isCall } of stepsOf(session)) {
    await post(thread, posted, session, { file, env });
    replayed.messages += posted.length;
    if (!isCall) continue;
    const { total_tokens: all } = await untilCalm(thread);
    const context = await thread.context();
    replayed.model_calls++;
    replayed.tokens_without += all;
    replayed.tokens_with += context.tokens.total;
    if (all > context.budget.context_window) replayed.over_window++;
    if (context.degraded) replayed.degraded++;
    replayed.failures.push(...failuresOf(context, before));
    before = context;
    show(replayed.messages, context);
  }
  replayed.folds = (await untilCalm(thread)).compaction.generation;
  return replayed;
}

/** Divides a session where an answer of the model begins. */
export function stepsOf({ messages }: Pick<ImportedSession, 'messages'>): Step[] {
  const steps: Step[] = [];
  let posted: ImportedMessage[] = [];
  let isAnswering = false;
  for (const message of messages) {
    const answers = isOfModel(message);
    if (answers && !isAnswering && (posted.length > 0 || steps.length > 0)) {
      steps.push({ posted, isCall: true });
      posted = [];
    }
    isAnswering = answers;
    posted.push(message);
  }
  // Messages that wait for an answer: the next call would send them.
  steps.push({ posted, isCall: !isAnswering });
  return steps;
}

/** The model said it: a message of the assistant, or an item of Responses that only a model makes. */
function isOfModel({ message: { role, type } }: ImportedMessage): boolean {
  if (role !== undefined) return role === 'assistant';
  return typeof type === 'string' && !type.endsWith('_output');
}

async function post(
  thread: Thread,
  posted: readonly ImportedMessage[],
  { format, messages }: ImportedSession,
  { file, env }: { file: string; env: Environment },
): Promise<void> {
  for (const batch of batchesOf(posted, format)) {
    try {
      await thread.append(await postedMessages(thread, batch), { idempotencyKey: batch.idempotencyKey });
    } catch (error) {
      throw placedError(error, batch, {
        file,
        messages,
        env,
        next: `The thread ${thread.id} holds the messages before it.`,
      });
    }
  }
}

async function untilCalm(thread: Thread): Promise<Schemas['Thread']> {
  const until = performance.now() + modelCallMs;
  for (;;) {
    const now = await thread.get();
    const { state } = now.compaction;
    if ((state !== 'due' && state !== 'running') || performance.now() > until) return now;
    await sleep(lookEveryMs);
  }
}
