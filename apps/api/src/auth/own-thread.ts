import type { Route } from '@spillway/contracts';
import {
  actorOf,
  asProject,
  getOutput,
  isOutputOf,
  SpillwayError,
  type CallerRow,
  type Runtime,
} from '@spillway/service';
import type { FastifyRequest } from 'fastify';

const ofThread = /^\/v1\/threads\/\{id\}(\/|$)/;
const ofOutput = /^\/v1\/outputs\/\{id\}(\/|$)/;
/** Routes of a thread by which a token would reach beyond it: other tokens, and another thread. */
const beyondThread = /^\/v1\/threads\/\{id\}\/(tokens|fork)(\/|$)/;

/**
 * Refuses a request of a thread token that is not about its thread. Only routes of one thread, routes of one output of
 * it, MCP and its own events are open to a token; a route that is added elsewhere is not. Another thread and its outputs
 * are answered as if they did not exist. Throws `forbidden`, `thread_not_found`, `output_not_found`.
 */
export async function requireOwnThread(
  rt: Runtime,
  caller: CallerRow,
  { id: route, path, proxy }: Pick<Route, 'id' | 'proxy'> & { path: string },
  { method, params, query }: Pick<FastifyRequest, 'method' | 'params' | 'query'>,
): Promise<void> {
  const { token, projectId } = caller;
  if (token === null) return;
  const { id } = params as { id?: string };
  if (ofThread.test(path) && !beyondThread.test(path)) {
    if (id !== token.threadId) throw new SpillwayError('thread_not_found', 'No such thread.');
    return;
  }
  if (ofOutput.test(path)) {
    const isOwn = await asProject(projectId, actorOf(caller), async () =>
      isOutputOf(rt, token.threadId, await getOutput(rt, projectId, id ?? '')),
    );
    if (!isOwn) throw new SpillwayError('output_not_found', 'No such output.');
    return;
  }
  // Which thread a proxied request names is decided with its body.
  if (proxy && method === 'POST') return;
  // Its tools get the thread from the token alone.
  if (route === 'mcp') return;
  if (route === 'streamEvents') {
    if ((query as { thread?: unknown }).thread === token.threadId) return;
    throw new SpillwayError(
      'forbidden',
      `A thread token reads the events of its thread: add ?thread=${token.threadId}.`,
    );
  }
  throw new SpillwayError('forbidden', 'A thread token is valid for requests about its own thread only.');
}
