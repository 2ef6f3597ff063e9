import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '@spillway/client';
import type { SpillwayClient } from '@spillway/client/typed';
import { answered } from './api.js';
import type { Checks } from './checks.js';
import { checkContext } from './context-checks.js';
import type { Latencies } from './latencies.js';
import type { Progress } from './progress.js';
import type { ThreadFile, ThreadMessage } from './thread-file.js';

/** Longer than a model call; the replay waits at most this long for a compaction in progress. */
const modelCallMs = 2000;

export interface Replay {
  client: SpillwayClient;
  checks: Checks;
  appends: Latencies;
  contexts: Latencies;
  progress: Progress;
  signal: AbortSignal;
}

export interface Replayed {
  threadId: string;
  file: ThreadFile;
  modelCalls: number;
  /** Contexts that left messages out or shortened them. */
  degraded: number;
  /** Input tokens of all model calls: with the full history each time, and as sent. */
  wholeTokens: number;
  sentTokens: number;
}

/** Replays a recorded thread like its agent: posts each message, and reads the context before each call. */
export async function replay(thread: { id: string; file: ThreadFile }, run: Replay): Promise<Replayed> {
  const { id, file } = thread;
  const posted: ThreadMessage[] = [];
  const result: Replayed = { threadId: id, file, modelCalls: 0, degraded: 0, wholeTokens: 0, sentTokens: 0 };
  let anythingOffloaded = false;
  let before: Schemas['Context'] | null = null;

  const callModel = async (): Promise<void> => {
    const { total_tokens } = await untilCalm(id, run);
    const context = await readContext(id, run);
    checkContext(
      run.checks,
      `${file.name} at seq ${posted.length}`,
      { context, posted, anythingOffloaded },
      before,
    );
    before = context;
    result.modelCalls += 1;
    result.degraded += context.degraded ? 1 : 0;
    result.wholeTokens += total_tokens;
    result.sentTokens += context.tokens.total;
    const sent = `context ${context.tokens.total.toLocaleString('en-US')} of ${total_tokens.toLocaleString('en-US')} tokens`;
    run.progress.update(posted.length, sent);
  };

  for (const message of file.messages) {
    run.signal.throwIfAborted();
    if (message.role === 'assistant' && posted.length > 0) await callModel();
    anythingOffloaded = (await post(id, message, run)) || anythingOffloaded;
    posted.push(message);
  }
  // The next call has not happened yet: its context is the newest one.
  await callModel();
  run.progress.end();
  return result;
}

/** Posts one message; true when its content was offloaded. */
async function post(id: string, message: ThreadMessage, run: Replay): Promise<boolean> {
  const body = { messages: [message as Schemas['OpenAIMessage']] };
  const result = await run.appends.time(() =>
    run.client.POST('/v1/threads/{id}/messages', { params: { path: { id } }, body }),
  );
  const { messages } = answered(result, `record a message of ${id}`);
  return messages.some((each) => each.output !== null);
}

async function readContext(id: string, run: Replay): Promise<Schemas['Context']> {
  const result = await run.contexts.time(() =>
    run.client.GET('/v1/threads/{id}/context', { params: { path: { id } } }),
  );
  return answered(result, `give the context of ${id}`);
}

async function untilCalm(id: string, run: Replay): Promise<Schemas['Thread']> {
  const until = Date.now() + modelCallMs;
  for (;;) {
    const thread = answered(
      await run.client.GET('/v1/threads/{id}', { params: { path: { id } } }),
      `show ${id}`,
    );
    const underWay = thread.compaction.state === 'due' || thread.compaction.state === 'running';
    if (!underWay || Date.now() > until) return thread;
    await sleep(20, undefined, { signal: run.signal });
  }
}
