import type { Random } from '@spillway/testing';
import { bodyOf, queryOf, type Operation } from './every-route.js';

export interface Request {
  method: string;
  path: string;
  body: unknown;
}

const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{"a":1}' } };
const result = 'line\n'.repeat(2_000);

/** Messages as each format writes them, with what its reader looks at. */
const conversations: Record<string, object[]> = {
  openai: [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: [{ type: 'text', text: 'hello' }, { type: 'image_url', image_url: { url: 'data:,x' } }], pinned: true },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: result },
  ],
  anthropic: [
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'sh', input: { a: 1 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: result }] }] },
  ],
  responses: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    { type: 'function_call', call_id: 'c', name: 'sh', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: result },
    { type: 'reasoning', id: 'r', summary: [] },
  ],
  'ai-sdk': [
    { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'sh', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'sh', output: { type: 'text', value: result } }] },
  ],
}; // prettier-ignore

/** Where the example of the document says less than a mutation should have to change, or takes long. */
const bodies: Record<string, unknown> = {
  createThread: {
    id: 'made',
    model: 'gpt-4o',
    metadata: { a: 'b' },
    system: 'be kind',
    tools: [{ name: 'sh' }],
  },
  putThread: { format: 'anthropic', model: 'gpt-4o', system: 'be kind', tools: [{ name: 'sh' }] },
  mcp: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_threads', arguments: { q: 'f' } },
  },
  createThreadToken: { scopes: ['context:read', 'messages:write'], ttl_s: 60 },
  changeThread: { metadata: { a: 'b' }, policy: { context: { trigger_ratio: 0.5, context_window: 9_000 } } },
  requestCompaction: { policy: { summary: { max_tokens: 100 } } },
  previewCompaction: { policy: { context: { trigger_ratio: 0.1, keep_recent_turns: 1 } } },
  postContext: { format: 'anthropic', max_tokens: 5_000, at: 1, system: 'be kind', alternate: true },
  changePolicy: { outputs: { threshold_tokens: 500 }, context: { max_images: 3, keep_recent_turns: 2 } },
  overrideModel: { context_window: 9_000 },
  simulatePolicy: { thread_id: 'x', policy: { context: { trigger_ratio: 0.5 } }, level: 'thread' },
  chat: { content: 'hello' },
  proxyChatCompletion: {
    model: 'm',
    messages: [{ role: 'user', content: 'hello' }],
    stream: true,
    tools: [],
  },
  proxyResponse: { model: 'm', input: [{ role: 'user', content: 'hello' }], instructions: 'be kind' },
  proxyMessage: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] },
  proxyGenerateContent: {
    systemInstruction: { parts: [{ text: 'be kind' }] },
    contents: [
      { role: 'user', parts: [{ text: 'hello' }, { inlineData: { data: 'QUJD', mimeType: 'image/png' } }] },
      { role: 'model', parts: [{ functionCall: { name: 'sh', args: { a: 1 } }, thoughtSignature: 'c2ln' }] },
      { role: 'user', parts: [{ functionResponse: { name: 'sh', response: { output: result } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'sh' }] }],
  },
  proxyCountTokens: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
  changeWebhook: { description: 'x', enabled: true },
  changeKey: { name: 'x', max_chat_tokens_per_day: 1_000 },
};
const queries: Record<string, string> = {
  listThreads: '?limit=5&state=idle,due&sort=updated&q=a&fill_min=0.1&updated_after=2026-01-01T00:00:00Z',
  countThreads: '?state=idle&metadata=a%3Db&has_errors=false',
  listProjectOutputs: '?limit=5&kind=text&sort=biggest&pinned=false&expiring_before=2030-01-01T00:00:00Z',
  getQueue: '?state=parked&reason=irreducible&limit=5',
  listProjectCompactions: '?outcome=unsuccessful&limit=5',
  getUsage: '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&bucket=day',
  listThreadEvents: '?limit=5',
  listMessages: '?after=0&before=9&limit=5&view=original&media=marked',
  listAudit: '?limit=5&action=key.created&target=a&actor=service&from=2026-01-01T00%3A00%3A00Z',
  exportAudit: '?action=key.created&to=2026-01-01T00%3A00%3A00Z',
  getContext: '?format=anthropic&max_tokens=5000&at=1&omit=messages',
  getOutputContent: '?path=%24..a%5B%3F%40.b%5D&lines=1-5&max_tokens=500',
  grepOutput: '?pattern=l[a-z]%2B%24&context=2&limit=5&ignore_case=true',
  checkFacts: '?range=own&kind=id&state=dropped&limit=5',
  mapThread: '?buckets=10',
  exportThread: '?format=markdown',
  searchThread: '?q=hello%20%22world%22&limit=5&role=user&from_seq=1&to_seq=9&max_tokens=500',
  getMessage: '?around=2&view=context',
};

/** A request that would be served: what a mutation starts from. */
export function goodRequest(
  random: Random,
  of: { routes: readonly Operation[]; threads: string[]; output: string; part: 'body' | 'query' | 'any' },
): Request {
  const has = { body: (route: Operation) => route.needsBody, query: hasQuery, any: () => true }[of.part];
  const route = random.pick(of.routes.filter(has));
  // A name that no change makes one of the others': they are to stay.
  const thread = route.id === 'eraseThread' ? 'gone' : random.pick(of.threads);
  const id = route.path.startsWith('/v1/outputs') ? of.output : thread;
  const path = route.path
    .replace('{id}', id)
    .replace('{generation}', '1')
    .replace('{seq}', '1')
    .replace('tools/{name}', 'tools/search_history')
    .replace('{token_id}', '00000000-0000-4000-8000-000000000000')
    .replace(/\{\w+\}/g, 'x');
  if (route.id === 'appendMessages') return append(random, path);
  const body = bodies[route.id] ?? bodyOf(route);
  return { method: route.method, path: path + (queries[route.id] ?? queryOf(route)), body };
}

const hasQuery = (route: Operation): boolean => (queries[route.id] ?? queryOf(route)) !== '';

function append(random: Random, path: string): Request {
  const format = random.pick(Object.keys(conversations));
  const usage = random.chance(0.1) ? { usage: { input_tokens: 100 } } : {};
  return {
    method: 'POST',
    path: `${path}?format=${format}`,
    body: { messages: conversations[format], ...usage },
  };
}
