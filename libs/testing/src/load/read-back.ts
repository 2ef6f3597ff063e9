import type { Schemas } from '@spillway/client';
import type { JsonMessage } from '../http/api.js';
import { sha256 } from '../message-hash.js';
import { providerComplaint } from '../stub-provider/provider-rules.js';
import { canariesIn, idsShown } from './conversation.js';
import type { LoadRun, LoadThread } from './load-run.js';
import { request } from './request.js';

/** Reads a thread's context and records what the checker judges it by. */
export async function readContext(run: LoadRun, thread: LoadThread): Promise<void> {
  const ackedBefore = thread.ackedSeq;
  const { status, body, text } = await request<Schemas['Context']>(run, thread, 'GET', 'context');
  if (status !== 200) return failed(run, status);
  const messages = body.messages as JsonMessage[];
  const { summary } = body;
  // The tokenizer is large, and most tests count nothing.
  const { countedTokens } = await import('./count-tokens.js');
  run.stats.contexts++;
  await run.journal.write({
    kind: 'context',
    project: thread.project.name,
    thread: thread.id,
    tokens: body.tokens.total,
    limit: body.budget.limit,
    counted: countedTokens(messages),
    lastSeq: body.last_seq,
    ackedBefore,
    summary: summary && { from: summary.from_seq, to: summary.to_seq },
    elided: body.elided.map((range) => ({ from: range.from_seq, to: range.to_seq })),
    shown: idsShown(messages),
    complaint: providerComplaint(messages),
    canaries: canariesIn(text),
  });
}

/** Reads one of the thread's stored outputs whole. */
export async function readOutput(run: LoadRun, thread: LoadThread): Promise<void> {
  const output = run.random.pick(thread.outputs);
  const asked = Date.now();
  const { status, text } = await request(run, thread, 'GET', `/v1/outputs/${output.id}/content`);
  if (status !== 200 && status !== 410) return failed(run, status);
  run.stats.outputs++;
  await run.journal.write({
    kind: 'output',
    project: thread.project.name,
    thread: thread.id,
    output: output.id,
    status,
    sha256: status === 200 ? sha256(text) : null,
    expected: sha256(output.expected),
    canaries: canariesIn(text),
    expiresInMs: output.expiresAt - asked,
  });
}

function failed(run: LoadRun, status: number): void {
  run.stats.failures[status] = (run.stats.failures[status] ?? 0) + 1;
}
