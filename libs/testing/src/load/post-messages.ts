import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '@spillway/client';
import type { Ack, Intent } from '../journal.js';
import type { SentMessage } from './conversation.js';
import type { LoadRun, LoadThread } from './load-run.js';
import { request } from './request.js';

/** Statuses that mean "retry": the message may or may not have been written. */
const tryAgain = (status: number, code: string) =>
  status === 0 || status === 408 || status === 429 || status === 503 || code === 'thread_busy';

/**
 * Posts messages until there is an answer, with the same ids each time. A few are sent twice at once, as by a
 * client whose time-out was too short; a few are given up after a failure, so that their outcome stays unknown.
 */
export async function postMessages(
  run: LoadRun,
  thread: LoadThread,
  sent: readonly SentMessage[],
): Promise<void> {
  const { journal, random, stats } = run;
  const of = { project: thread.project.name, thread: thread.id };
  await journal.write(...sent.map(({ id, sha256 }): Intent => ({ kind: 'intent', ...of, id, sha256 })));
  for (let attempt = 1; ; attempt++) {
    const at = Date.now();
    const started = performance.now();
    const twice = random.chance(0.02);
    const [first, second] = await Promise.all([
      post(run, thread, sent),
      twice ? post(run, thread, sent) : null,
    ]);
    const answers = [first, ...(second ? [second] : [])];
    stats.appends.push({ at, ms: performance.now() - started });
    for (const { status, body } of answers) {
      if (status >= 200 && status < 300) await acknowledge(run, thread, sent, status, body);
      else stats.failures[status] = (stats.failures[status] ?? 0) + 1;
    }
    if (answers.some(({ status }) => status >= 200 && status < 300)) {
      stats.acked += sent.length;
      return;
    }
    const final = answers.find(({ status, body }) => !tryAgain(status, body.code));
    if (final) {
      const refused = { status: final.status, code: final.body.code };
      await journal.write(...sent.map(({ id }) => ({ kind: 'refused' as const, ...of, id, ...refused })));
      return;
    }
    if (performance.now() > run.retryUntil() || random.chance(0.03)) {
      stats.abandoned += sent.length;
      return;
    }
    stats.retries++;
    await sleep(Math.min(2_000, 50 * 2 ** attempt) * (0.5 + random.next()));
  }
}

const post = (run: LoadRun, thread: LoadThread, sent: readonly SentMessage[]) =>
  request<Schemas['MessagesAppended'] & { code: string }>(run, thread, 'POST', 'messages', {
    messages: sent.map(({ id, message }) => ({ ...message, id })),
  });

async function acknowledge(
  run: LoadRun,
  thread: LoadThread,
  sent: readonly SentMessage[],
  status: number,
  { messages }: Schemas['MessagesAppended'],
): Promise<void> {
  const acks = messages.map(({ seq, output }, i): Ack => {
    const { id, message } = sent[i]!;
    thread.ackedSeq = Math.max(thread.ackedSeq, seq);
    if (output && typeof message.content === 'string')
      thread.outputs.push({
        id: output.id,
        expected: message.content,
        expiresAt: Date.parse(output.expires_at ?? ''),
      });
    const of = { project: thread.project.name, thread: thread.id };
    return { kind: 'ack', ...of, id, status, seq, output: output?.id ?? null };
  });
  thread.outputs.splice(0, thread.outputs.length - 20);
  await run.journal.write(...acks);
}
