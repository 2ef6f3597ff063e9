import {
  apiOf,
  freshDatabase,
  rowsOf,
  startOwnPostgres,
  startStack,
  until,
  untilQuiet,
  type Api,
  type Stack,
} from '@spillway/testing';
import { round, type BenchResult } from '../bench.js';
import { each } from '../load/each.js';
import { messagesOf } from '../load/texts.js';
import { explainAll, loggedPlans, preloadPlans, type LoggedPlan } from './logged-plans.js';

/** Statements by name, with what to look for in the plan. */
const hot: Record<string, string> = {
  'append-plain':
    'An append of one message. Look for one row of `threads` by its unique index, and for no scan of `messages`: the seq comes from the row of the thread.',
  'append-group-plain':
    'Appends that were sent together. The threads are found by one index lookup each; a scan of all threads means that statistics are missing.',
  'read-thread-with-summary': 'The first read of a context: one row of `threads` and one of `summaries`.',
  'read-entries-with-bodies':
    'The messages of a context. Pages grow with the messages that are shown, never with the length of the thread.',
  'read-threads-with-summary':
    'The same for contexts that were asked for together: one lookup for each thread, whatever the project has besides.',
  'read-windows': 'And their messages: one range of the index for each thread.',
  'record-all-served':
    'What was served is recorded, if the threads have not changed since: one lookup for each of them.',
  'are-still-served':
    'Whether contexts that were served before are current: one row of `threads` and one of `served_contexts` for each.',
  'due-threads-of-each-project':
    'What a worker asks for without a hint. It reads the partial index of due threads; with nothing due it reads a page or two.',
  claim: 'A worker takes a thread. One row of `threads`, one new row of `compaction_attempts`.',
  commit: 'A fold takes effect. Every table but `projects` is reached by its primary key.',
  'list-threads-updated-desc-first':
    'A page of the list of threads. It reads all threads of the project and sorts their keys, on purpose: there is no index that each append would have to change. Pages grow with the threads of the project.',
  'search-messages':
    'A search reads the bodies of the newest slice of a thread. Pages grow with the messages of the thread, up to 1,000 or 4 MB.',
};

const threads = 500;
const longThread = 1_000;

/** Logs the plans by which Postgres runs the statements that agents wait for, in the service itself. */
export async function explain(): Promise<BenchResult> {
  const postgres = await startOwnPostgres({ durable: true });
  let stack: Stack | null = null;
  try {
    await preloadPlans(postgres);
    stack = await startStack({
      databaseUrl: await freshDatabase(postgres.url),
      env: { SPILLWAY_RATE_LIMIT: '100000' },
    });
    const api = apiOf(stack);
    await seed(api);
    await untilQuiet(stack.databaseUrl, 300_000);
    await rowsOf(stack.databaseUrl, 'VACUUM ANALYZE');
    await explainAll(postgres);
    await work(api);
    const plans = await loggedPlans(postgres);
    const missing = Object.keys(hot).filter((name) => !plans.has(name));
    return {
      name: 'explain',
      about: `The plan by which Postgres ran each statement that agents wait for, in a database of ${threads} threads of 24 messages, most of which were folded, and one of ${longThread.toLocaleString('en-US')}, logged by auto_explain. [performance.md](operations/performance.md) has the plans. Times contain the measurement of each node.`,
      complaints: missing.map((name) => `${name} was not executed`),
      rows: Object.keys(hot).flatMap((name) => {
        const plan = plans.get(name);
        return plan
          ? [
              {
                what: name,
                value: `${plan.pages} pages`,
                against: `${round(plan.ms, 2)} ms`,
                target: '',
                reached: null,
              },
            ]
          : [];
      }),
      pages: [{ path: 'docs/operations/performance.md', text: textOf(plans) }],
    };
  } finally {
    await stack?.stop();
    await postgres.stop();
  }
}

async function seed(api: Api): Promise<void> {
  // Folds fill the tables of summaries and attempts: tables of a page are read without their indexes.
  await each(threads, 16, async (n) => {
    await api.createThread({ id: `seed-${n}`, policy: { context: { context_window: 8_000 } } });
    await api.append(`seed-${n}`, ...messagesOf(`seed-${n}`, 24));
  });
  await api.createThread({ id: 'long', policy: { context: { context_window: 1_000_000 } } });
  for (let from = 0; from < longThread; from += 100)
    await api.append('long', ...messagesOf(`long-${from}`, 100));
  await api.createThread({ id: 'fold', policy: { context: { context_window: 16_000 } } });
  await api.append('fold', ...messagesOf('fold', 24));
}

async function work(api: Api): Promise<void> {
  await api.append('seed-1', ...messagesOf('alone', 1));
  await each(200, 32, (n) => api.append(`seed-${n}`, ...messagesOf(`group-${n}`, 1)));
  await api.context('seed-1');
  // The first time they are read, the second time they are known.
  for (let i = 0; i < 2; i++) await each(200, 32, (n) => api.context(`seed-${n}`));
  await api.append('fold', ...messagesOf('late', 24));
  await until('a fold', async () => (await api.thread('fold')).compaction.generation > 0);
  for (const path of ['/v1/threads?limit=20', '/v1/threads/long/search?q=parser']) {
    const { status } = await api.call('GET', path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
  }
}

const textOf = (plans: ReadonlyMap<string, LoggedPlan>): string =>
  Object.entries(hot)
    .map(
      ([name, look]) =>
        `### ${name}\n\n${look}\n\n\`\`\`text\n-- ${name}\n${plans.get(name)?.text.trimEnd() ?? ''}\n\`\`\``,
    )
    .join('\n\n');
