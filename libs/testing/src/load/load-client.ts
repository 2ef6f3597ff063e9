import { setTimeout as sleep } from 'node:timers/promises';
import { conversation } from './conversation.js';
import type { LoadOptions, LoadRun, LoadStats, LoadThread } from './load-run.js';
import { postMessages } from './post-messages.js';
import { readContext, readOutput } from './read-back.js';

export interface Load {
  stats: LoadStats;
  /** No new messages; waits until those in progress have an answer or are given up. */
  stop(): Promise<void>;
}

const tickMs = 20;

/** Many agents posting at once, writing down what they ask and are told. */
export function startLoad(options: LoadOptions): Load {
  const stats: LoadStats = {
    ...{ messages: 0, acked: 0, retries: 0, abandoned: 0, contexts: 0, outputs: 0 },
    appends: [],
    failures: {},
  };
  let stopAt = Infinity;
  const { patienceMs = 60_000, timeoutMs = 10_000 } = options;
  const run: LoadRun = {
    ...options,
    patienceMs,
    timeoutMs,
    stats,
    retryUntil: () => stopAt + patienceMs,
  };
  const { random } = options;
  const threads = options.projects.flatMap((project) =>
    Array.from({ length: options.threadsPerProject }, (_, i): LoadThread => {
      const id = `t${i}`;
      const posts = conversation(project.name, id, random);
      return { project, id, posts, ackedSeq: 0, outputs: [], busy: false };
    }),
  );
  const stepping = new Set<Promise<void>>();
  const start = (thread: LoadThread, step: Promise<void>) => {
    thread.busy = true;
    stepping.add(step);
    void step.finally(() => {
      thread.busy = false;
      stepping.delete(step);
    });
  };
  const pump = async (): Promise<void> => {
    const began = performance.now();
    while (stopAt === Infinity) {
      const owed = ((performance.now() - began) * options.messagesPerSecond) / 1000 - stats.messages;
      const idle = owed > 0 ? threads.filter((thread) => !thread.busy) : [];
      for (let i = 0; i < owed && idle.length > 0; i++) {
        const [thread] = idle.splice(random.below(idle.length), 1);
        start(thread!, step(run, thread!));
      }
      await sleep(tickMs);
    }
  };
  const pumping = pump();
  return {
    stats,
    stop: async () => {
      stopAt = performance.now();
      await pumping;
      await Promise.all(stepping);
    },
  };
}

async function step(run: LoadRun, thread: LoadThread): Promise<void> {
  const sent = thread.posts.next().value;
  run.stats.messages += sent.length;
  await postMessages(run, thread, sent);
  if (run.random.chance(0.04)) await readContext(run, thread);
  if (thread.outputs.length > 0 && run.random.chance(0.05)) await readOutput(run, thread);
}
