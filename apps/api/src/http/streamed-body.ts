import { SpillwayError, type UploadLimits } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { routeOf } from '../auth/caller.js';

/** The media type that a streamed body has inside Fastify, which would otherwise read it whole. */
const streamed = 'application/vnd.spillway.streamed';

/** Leaves the bodies of streaming routes unread, for their handlers. Other routes refuse this media type. */
export function installStreamedBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (routeOf(request)?.streamed) request.raw.headers['content-type'] = streamed;
    done();
  });
  fastify.addContentTypeParser(streamed, (request, _payload, done) => {
    if (routeOf(request)?.streamed) done(null, undefined);
    else done(new SpillwayError('unsupported_media_type', 'Send the body as application/json.'));
  });
}

/**
 * The bytes of a request's body as they arrive. Throws `body_too_large`, `request_timeout`, `overloaded` when the
 * process stops, and `bad_http` when the connection closes early. The request stays open when reading ends early, so
 * that it can be answered.
 */
export async function* streamedBody(
  request: IncomingMessage,
  { maxBytes, idleMs, totalMs }: UploadLimits,
  stopping: AbortSignal,
): AsyncGenerator<Buffer> {
  const tooLarge = () =>
    new SpillwayError(
      'body_too_large',
      `The output is larger than ${maxBytes.toLocaleString('en-US')} bytes.`,
    );
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const deadline = performance.now() + totalMs;
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  let bytes = 0;
  try {
    for (;;) {
      const ms = Math.min(idleMs, deadline - performance.now());
      const next = await within(ms, stopping, chunks.next());
      if (next.done) return;
      bytes += next.value.length;
      if (bytes > maxBytes) throw tooLarge();
      yield next.value;
    }
  } finally {
    // Not awaited: it would wait for a chunk that may never arrive.
    chunks.return?.().catch(() => undefined);
  }
}

async function within<T>(ms: number, stopping: AbortSignal, chunk: Promise<T>): Promise<T> {
  const given = Promise.withResolvers<never>();
  const late = () =>
    given.reject(new SpillwayError('request_timeout', 'The body did not arrive in time. Upload it again.'));
  const stop = () =>
    given.reject(new SpillwayError('overloaded', 'The server is stopping. Upload it again.'));
  const timer = setTimeout(late, Math.max(0, ms));
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  try {
    return await Promise.race([chunk.catch(closed), given.promise]);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

const closed = (error: unknown): never => {
  throw new SpillwayError('bad_http', 'The connection closed before the body was complete.', undefined, {
    cause: error,
  });
};
