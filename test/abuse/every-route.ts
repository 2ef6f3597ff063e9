/** One operation of the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  id: string;
  needsBody: boolean;
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; requestBody?: unknown; security?: unknown[] }>>;
}

/** Every operation that asks for a key, as the API itself lists them. */
export async function everyRoute(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security?.length !== 0)
      .map(([method, { operationId, requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        id: operationId,
        needsBody: requestBody !== undefined,
      })),
  );
}

/** What a caller who knows the API would send: a refusal must come from whose it is, and not from a missing field. */
const bodies: Record<string, unknown> = {
  appendMessages: { messages: [{ role: 'user', content: 'x' }] },
  overrideModel: { context_window: 1_000 },
  runTool: { arguments: { q: 'word' } },
  mcp: { jsonrpc: '2.0', id: 1, method: 'ping' },
  changeMessage: { pinned: true },
  keepMessages: { from_seq: 1, to_seq: 1 },
  rewindThread: { to_seq: 1 },
  releaseMessages: { from_seq: 1, to_seq: 1 },
  writeSummary: { fields: { task_overview: 'x' }, to_seq: 1 },
  addInstruction: { text: 'Never do that.' },
  createThreadToken: { scopes: ['context:read'] },
  changeInstruction: { state: 'dismissed' },
  retryQueue: { state: 'parked' },
  proxyChatCompletion: { model: 'm', messages: [{ role: 'user', content: 'x' }] },
  proxyResponse: { model: 'm', input: 'x' },
  proxyMessage: { model: 'm', messages: [{ role: 'user', content: 'x' }] },
};
const queries: Record<string, string> = { grepOutput: '?pattern=word', searchThread: '?q=word' };

export const bodyOf = ({ id, needsBody }: Operation): unknown => (needsBody ? (bodies[id] ?? {}) : undefined);
export const queryOf = ({ id }: Operation): string => queries[id] ?? '';
