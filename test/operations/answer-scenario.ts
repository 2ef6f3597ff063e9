import { routes, type Route } from '@spillway/contracts';
import { apiOf, until, type Stack } from '@spillway/testing';
import { callOf, toolResult } from '../tool-calls.js';
import { operatorHeader, operatorPassword } from './scrape.js';

/** The success of one call, as the service gave it. */
export interface RecordedAnswer {
  route: Route;
  status: number;
  body: unknown;
}

interface Call {
  params?: Record<string, string | number>;
  /** In place of the route's own example. */
  body?: unknown;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  key?: string;
}

/** Sends one call of an operation and returns its answer. */
export type Watch = <T>(id: string, send: () => Promise<T>) => Promise<T>;

const byId = new Map(Object.entries(routes).map(([key, route]) => [route.id, { key, route }]));
const example = (id: string): object => byId.get(id)!.route.example!.body as object;
const thread = 'support-42';
const log = Array.from({ length: 1_200 }, (_, i) =>
  i % 400 === 399 ? `step ${i + 1} ERROR: order 1007 has no address` : `step ${i + 1} ok`,
).join('\n');
const look = callOf('call_1', 'find_order', { order: 1007 });

/** What is said in the thread before anything is asked about it. */
const conversation = [
  {
    role: 'user',
    content: 'Where is order 1007? Never mention the warehouse by name.',
    sent_at: '2026-11-20T09:00:00Z',
  },
  { role: 'assistant', content: 'I look it up.', tool_calls: [look] },
  toolResult('call_1', log),
  { role: 'assistant', content: 'Order 1007 left on Monday. A refund was not asked for.' },
  { role: 'user', content: 'Thank you. And order 1008?' },
  { role: 'assistant', content: 'It is packed and leaves tomorrow.' },
];

/**
 * Calls every operation that answers with JSON, with the example of its route where that names nothing that must exist
 * first, and returns the answers by operation. Throws when one is not a success. The stack has the operator password of
 * the tests; `provider` is the address of a provider, for the proxies. `watch` sends each call, and may look around it.
 */
export async function recordAnswers(
  stack: Stack,
  provider: string,
  watch: Watch = (_, send) => send(),
): Promise<Map<string, RecordedAnswer>> {
  const answers = new Map<string, RecordedAnswer>();

  async function call<T = Record<string, unknown>>(id: string, of: Call = {}): Promise<T> {
    const { key, route } = byId.get(id)!;
    const [method, template] = key.split(' ') as [string, string];
    const params: Record<string, string | number> = { id: thread, ...of.params };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
    const { query = route.example?.query ?? {}, body = route.example?.body } = of;
    const asText = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const search = new URLSearchParams(Object.fromEntries(asText) as Record<string, string>).toString();
    const api = apiOf({ url: stack.url, key: of.key ?? stack.key });
    const headers = { accept: 'application/json', ...of.headers };
    const target = search === '' ? path : `${path}?${search}`;
    const answer = await watch(id, () => api.call<T>(method, target, body, headers));
    if (answer.status >= 300) throw new Error(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (typeof answer.body === 'object') answers.set(id, { route, status: answer.status, body: answer.body });
    return answer.body;
  }
  const idle = () =>
    until('the thread is idle', async () => {
      const { compaction } = await call<{ compaction: { state: string } }>('getThread');
      return compaction.state === 'idle';
    });

  await call('health');
  await call('ready');
  await call('createThread', { body: { ...example('createThread'), id: thread } });
  await call('appendMessages', { body: { messages: conversation }, query: { context: true } });
  const { data: outputs } = await call<{ data: { id: string }[] }>('listOutputs');
  const output = { params: { id: outputs[0]!.id } };
  await call('putThread');
  await call('changeThread');
  for (const id of ['getThread', 'countThreads', 'listMessages', 'listTools', 'getThreadPolicy'])
    await call(id);
  await call('listThreads', { query: { limit: 20 } });
  await call('getMessage', { params: { seq: 3 } });
  await call('searchThread', { query: { q: 'order 1007', limit: 5 } });
  await call('searchProject');
  await call('runTool', { params: { name: 'search_history' } });
  await call('mcp', mcpCall);
  await call('getContext');
  await call('postContext');

  await call('getOutput', output);
  await call('getOutputContent', output);
  await call('grepOutput', output);
  await call('outlineOutput', output);
  await call('listProjectOutputs', { query: { limit: 20 } });
  await call('pinOutput', output);
  await call('unpinOutput', output);
  await call('keepOutput', output);
  await call('releaseOutput', output);
  await call('uploadOutput', { query: { tool: 'run_tests' } });
  await call('keepMessages');
  await call('releaseMessages');
  await call('changeMessage', { params: { seq: 1 } });
  await call('changeMessage', { params: { seq: 1 }, body: { pinned: false } });

  await call('previewCompaction', { body: { policy: { context: { keep_recent_turns: 1 } } } });
  await call('requestCompaction', {
    body: {
      policy: { context: { context_window: 8_192, trigger_ratio: 0.05, keep_recent_turns: 1 } },
      wait_ms: 10_000,
    },
  });
  await idle();
  await call('listCompactions');
  await call('listProjectCompactions', { query: { limit: 50 } });
  await call('mapThread');
  await call('listSummaries');
  await call('getSummary', { params: { generation: 1 } });
  await call('checkFacts', { params: { generation: 1 }, query: { limit: 5 } });
  await call('getContext', { query: { format: 'openai' } });
  await call('undoSummary', { params: { generation: 1 } });
  await call('restoreSummary', { params: { generation: 1 } });
  const { data: summaries } = await call<{ data: { generation: number }[] }>('listSummaries');
  await call('quarantineSummary', { params: { generation: summaries[0]!.generation } });
  await idle();
  await call('rebuildThread');
  await idle();
  await call('retryThread');
  for (const decision of ['approveSummary', 'rejectSummary'])
    await call(decision, { params: await proposal(stack, decision.toLowerCase()) });

  await call('addInstruction');
  const { data } = await call<{ data: { id: string }[] }>('listInstructions', { query: {} });
  await call('changeInstruction', { params: { instruction_id: data[0]!.id } });
  await call('listThreadEvents', { query: { limit: 5 } });
  await call('forkThread');
  const ofFork = { params: { id: 'support-42-retry' } };
  await call('rewindThread', ofFork);
  await longThread(stack, 'support-44', {
    context: { context_window: 8_000, trigger_ratio: 0.7, keep_recent_turns: 1 },
  });
  await call('writeSummary', { params: { id: 'support-44' } });
  const lines = await call<string>('backUpThread', { params: { id: 'support-44' } });
  await call('restoreThread', { params: { id: 'support-44-restored' }, body: lines });
  await call('chat', { params: { id: 'support-43' } });
  await call('getPolicy');
  await call('changePolicy');
  for (const id of ['getPolicySchema', 'previewPolicy', 'simulatePolicy']) await call(id);
  await call('createThreadToken');
  await call('listThreadTokens');
  const hook = await call<{ id: string }>('createWebhook');
  const ofHook = { params: { id: hook.id } };
  for (const id of ['listWebhooks', 'getWebhook', 'changeWebhook', 'rotateWebhookSecret'])
    await call(id, ofHook);
  const { id: deliveryId } = await call<{ id: string }>('testWebhook', ofHook);
  await call('redeliver', { params: { id: hook.id, delivery_id: deliveryId } });
  await call('listDeliveries', { ...ofHook, query: { limit: 50 } });
  await call('putUpstream', { params: { provider: 'openai' } });
  await call('listUpstreams');
  for (const name of ['openai', 'anthropic', 'google'])
    await apiOf(stack).call('PUT', `/v1/upstreams/${name}`, { base_url: `${provider}/v1`, key: null });
  for (const id of ['proxyChatCompletion', 'proxyResponse', 'proxyMessage'])
    await call(id, { headers: { 'spillway-thread': `support-45-${id}` } });
  await call('proxyCountTokens');
  const ofModel = { params: { model: 'gemini-2.5-flash' } };
  const headers = { 'spillway-thread': 'support-45-proxyGenerateContent' };
  await call('proxyGenerateContent', { ...ofModel, headers });
  await call('proxyCountGeminiTokens', ofModel);
  await call('listGeminiModels', { query: { pageSize: 3 } });
  await call('getGeminiModel', ofModel);
  await call('overrideModel', { params: { name: 'gpt-4o-mini' } });
  await call('getModel', { params: { name: 'gpt-4o-mini' } });
  for (const id of ['listModels', 'getAttention', 'getSystem', 'listKeys']) await call(id);
  for (const id of ['getQueue', 'retryQueue']) await call(id);
  const { id: key } = await call<{ id: string }>('createKey');
  await call('changeKey', { params: { id: key } });
  await call('listKeys');
  await call('listAudit', { query: { limit: 3 } });
  const day = 24 * 3_600_000;
  const from = new Date(Date.now() - day).toISOString();
  await call('getUsage', { query: { from, to: new Date(Date.now() + day).toISOString(), bucket: 'day' } });
  const session = await call<{ token: string }>('startSession');
  await call('currentSession', { key: session.token });
  const asOperator = { headers: operatorHeader(operatorPassword) };
  const { id: project } = await call<{ id: string }>('createProject', asOperator);
  await call('listProjects', asOperator);
  await call('createAdminKey', { ...asOperator, params: { id: project } });
  await call('suspendProject', { ...asOperator, params: { id: project } });
  await call('resumeProject', { ...asOperator, params: { id: project } });
  await call('pauseCompaction', { ...asOperator, params: { id: project } });
  await call('resumeCompaction', { ...asOperator, params: { id: project } });
  await call('listProjectUsage', asOperator);
  await call('pauseServerCompaction', asOperator);
  await call('getServerPause', asOperator);
  await call('resumeServerCompaction', asOperator);
  await call('eraseProject', { ...asOperator, params: { id: project } });
  return answers;
}

/** Of the current version of MCP, which answers in JSON and not as a stream. */
const mcpCall: Call = (() => {
  const { params, ...message } = example('mcp') as { params: { name: string } };
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'an agent', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: { ...message, params: { ...params, _meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
  };
})();

/** A thread with more messages than stay verbatim. */
async function longThread(stack: Stack, id: string, policy: object): Promise<void> {
  const api = apiOf(stack);
  await api.createThread({ id, policy });
  const content = 'All work and no play makes a dull thread. '.repeat(30);
  await api.append(
    id,
    ...Array.from({ length: 10 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content })),
  );
}

/** A thread with a summary that waits for approval. */
async function proposal(stack: Stack, id: string): Promise<{ id: string; generation: number }> {
  const context = { context_window: 8_000, trigger_ratio: 0.3 };
  await longThread(stack, id, { context, summary: { apply: 'on_approval' } });
  let generation: number | undefined;
  await until('a summary is proposed', async () => {
    generation = (await apiOf(stack).thread(id)).compaction.prepared?.generation;
    return generation !== undefined;
  });
  return { id, generation: generation! };
}
