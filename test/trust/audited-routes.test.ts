import { routes } from '@spillway/contracts';
import { apiOf, rowsOf, startStack, startStubLlm, type Stack, type StubLlm } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorPassword } from '../operations/scrape.js';
import { recordAnswers } from '../operations/answer-scenario.js';
import type { RecordedProvider } from '../proxies/recorded-provider.js';
import { startReplyingProvider } from '../proxies/replies/replying-provider.js';

let stub: StubLlm;
let provider: RecordedProvider;
let stack: Stack;
/** The actions that the calls of an operation recorded, by operation. */
const recorded = new Map<string, Set<string>>();
beforeAll(async () => {
  [stub, provider] = [await startStubLlm(), await startReplyingProvider()];
  stack = await startStack({
    env: {
      ...stub.env,
      SPILLWAY_SECRET_KEY: 'a-secret-of-the-test-0123456789abcdef',
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
      SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
    },
  });
  await recordAnswers(stack, provider.url, watched);
  await callTheRest();
});
afterAll(async () => {
  await stack?.stop();
  await stub?.stop();
  await provider?.stop();
});

const newestEntry = 'SELECT coalesce(max(id), 0) AS id FROM audit_log';
/** What callers did; workers that act meanwhile are `service`. */
const byCallers = `SELECT action FROM audit_log WHERE id > $1 AND actor <> 'service'`;

async function watched<T>(id: string, send: () => Promise<T>): Promise<T> {
  const [newest] = await rowsOf<{ id: string }>(stack.databaseUrl, newestEntry);
  const answer = await send();
  const rows = await rowsOf<{ action: string }>(stack.databaseUrl, byCallers, [newest!.id]);
  const actions = recorded.get(id) ?? new Set();
  for (const { action } of rows) actions.add(action);
  recorded.set(id, actions);
  return answer;
}

const parkThread = `UPDATE threads SET park_reason = 'auth', needs_compaction = true, requested_at = now()
  WHERE id = 'parked'`;

/** Calls the operations that answer without JSON, and those for which the scenario has nothing to do. */
async function callTheRest(): Promise<void> {
  const api = apiOf(stack);
  const changes = (id: string, method: string, path: string, body?: unknown, of = api) =>
    watched(id, async () => {
      const { status } = await of.call(method, path, body);
      expect(status, id).toBeLessThan(300);
    });
  const made = async (path: string, body: unknown) => {
    const answer = await api.call<{ id: string }>('POST', path, body);
    expect(answer.status, path).toBe(201);
    return answer.body.id;
  };

  await changes('removeOverride', 'DELETE', '/v1/models/gpt-4o-mini');
  const key = await made('/v1/keys', { name: 'for a moment', scopes: ['context:read'] });
  await changes('revokeKey', 'DELETE', `/v1/keys/${key}`);
  const { body: session } = await api.call<{ token: string }>('POST', '/v1/sessions');
  const person = apiOf({ url: stack.url, key: session.token });
  await changes('proveSession', 'POST', '/v1/sessions/current/proof', { key: stack.key }, person);
  await changes('endSession', 'DELETE', '/v1/sessions/current', undefined, person);
  const hook = await made('/v1/webhooks', { url: 'https://example.com/hook', types: ['compaction.parked'] });
  await changes('removeWebhook', 'DELETE', `/v1/webhooks/${hook}`);
  await changes('removeUpstream', 'DELETE', '/v1/upstreams/openai');
  await changes('rebuildThread', 'POST', '/v1/threads/support-44/rebuild');
  await changes('rewindThread', 'POST', '/v1/threads/support-43/rewind', { to_seq: 1 });
  await api.append('parked', { role: 'user', content: 'hello' });
  const token = await made('/v1/threads/parked/tokens', { scopes: ['context:read'] });
  await changes('revokeThreadToken', 'DELETE', `/v1/threads/parked/tokens/${token}`);
  for (const [id, path, body] of [
    ['retryThread', '/v1/threads/parked/retry', undefined],
    ['retryQueue', '/v1/queue/retry', { state: 'parked' }],
  ] as const) {
    await rowsOf(stack.databaseUrl, parkThread);
    await changes(id, 'POST', path, body);
  }
  await changes('eraseMessage', 'DELETE', '/v1/threads/parked/messages/1');
  await changes('eraseThread', 'DELETE', '/v1/threads/parked');
}

const agents = 'what agents record is a row of its own, with the time, in the thread that it is about';
const nothing = 'it changes nothing; what a person reads in a session is `content.read`';

/** The audit actions of the calls above by operation, or the reason why a call has none. */
const actionsOf: Record<string, readonly string[] | { none: string }> = {
  createKey: ['key.created'],
  changeKey: ['key.budget_changed'],
  revokeKey: ['key.revoked'],
  startSession: ['session.started'],
  proveSession: ['session.proved'],
  endSession: ['session.ended'],
  createThreadToken: ['token.created'],
  revokeThreadToken: ['token.revoked'],

  createProject: ['key.created', 'project.created'],
  createAdminKey: ['key.created'],
  suspendProject: ['project.suspended'],
  resumeProject: ['project.resumed'],
  pauseCompaction: ['compaction.paused'],
  resumeCompaction: ['compaction.resumed'],
  pauseServerCompaction: ['compaction.paused'],
  resumeServerCompaction: ['compaction.resumed'],
  eraseProject: ['key.revoked', 'project.erased'],

  changePolicy: ['policy.changed'],
  overrideModel: ['model.overridden'],
  removeOverride: ['model.override_removed'],
  putUpstream: ['upstream.created'],
  removeUpstream: ['upstream.removed'],

  createWebhook: ['webhook.created'],
  changeWebhook: ['webhook.changed'],
  rotateWebhookSecret: ['webhook.secret_rotated'],
  testWebhook: ['webhook.tested'],
  redeliver: ['webhook.redelivered'],
  removeWebhook: ['webhook.removed'],

  changeThread: ['thread.policy_changed'],
  eraseThread: ['thread.erased'],
  forkThread: ['thread.forked'],
  rewindThread: ['thread.rewound'],
  restoreThread: ['thread.restored'],
  retryThread: ['thread.retried'],
  retryQueue: ['thread.retried'],

  changeMessage: ['message.pinned', 'message.unpinned'],
  eraseMessage: ['message.erased'],
  keepMessages: ['message.kept'],
  releaseMessages: ['message.released'],
  keepOutput: ['message.kept'],
  releaseOutput: ['message.released'],
  pinOutput: ['output.pin_changed'],
  unpinOutput: ['output.pin_changed'],
  addInstruction: ['instruction.added'],
  changeInstruction: ['instruction.dismissed'],

  requestCompaction: ['compaction.requested'],
  rebuildThread: ['compaction.requested'],
  writeSummary: ['summary.written'],
  approveSummary: ['summary.approved'],
  rejectSummary: ['summary.rejected'],
  undoSummary: ['summary.undone'],
  restoreSummary: ['summary.restored'],
  quarantineSummary: ['summary.withdrawn'],

  createThread: { none: agents },
  putThread: { none: `${agents}; a change of its policy has the row of changeThread` },
  appendMessages: { none: agents },
  uploadOutput: { none: agents },
  chat: { none: agents },
  proxyChatCompletion: { none: agents },
  proxyResponse: { none: agents },
  proxyMessage: { none: agents },
  proxyGenerateContent: { none: agents },
  proxyStreamGenerateContent: { none: agents },
  proxyCountTokens: { none: nothing },
  proxyCountGeminiTokens: { none: nothing },
  postContext: { none: nothing },
  runTool: { none: nothing },
  mcp: { none: nothing },
  previewCompaction: { none: nothing },
  previewPolicy: { none: nothing },
  simulatePolicy: { none: nothing },
};

const isMutating = (operation: string) => /^(POST|PUT|PATCH|DELETE) /.test(operation);

test('A130 every route that can change something has its actions in the audit log, or a reason why it has none', () => {
  const mutating = Object.entries(routes).flatMap(([operation, { id }]) =>
    isMutating(operation) ? [id] : [],
  );
  const found = mutating.map((id) => [id, [...(recorded.get(id) ?? [])].sort()] as const);
  const expected = Object.entries(actionsOf).map(([id, of]) => [id, 'none' in of ? [] : of]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});
