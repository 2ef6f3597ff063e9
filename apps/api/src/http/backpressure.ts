import { SpillwayError } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { routeOf } from '../auth/caller.js';

/** Bodies being read or worked on at a time, in bytes. More would be memory that nobody can promise. */
const mostBodyBytes = 128 * 1024 * 1024;
/** What a body of unknown length is taken for. */
const unknownBytes = 1024 * 1024;

/** An event loop this late, in ms, is busy: what can wait is sent away first, appends and contexts are not. */
const lateMs = 1_000;
const canWait = new Set(['grepOutput', 'outlineOutput', 'searchThread']);

/**
 * Says 503 with Retry-After before a body is read, rather than run out of memory or time while many are. A client
 * that tries again with the same message ids loses nothing.
 */
export function installBackpressure(fastify: FastifyInstance, bodyLimit: number): void {
  let held = 0;
  const holding = new WeakMap<object, number>();
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let late = 0;
  const watch = setInterval(() => {
    late = loop.percentile(99) / 1e6;
    loop.reset();
  }, 1_000);
  watch.unref();

  fastify.addHook('onRequest', (request, _reply, done) => {
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    const hasBody = request.headers['transfer-encoding'] !== undefined || length > 0;
    const known = Number.isNaN(length) ? unknownBytes : length;
    // What is longer than any body may be is refused unread: whoever says so takes no room from others.
    const bytes = hasBody && known <= bodyLimit ? known : 0;
    if (held > 0 && held + bytes > mostBodyBytes) return done(tooMuch('Too many large requests at once'));
    if (late > lateMs && canWait.has(routeOf(request)?.id ?? '')) return done(tooMuch('Too busy'));
    held += bytes;
    holding.set(request, bytes);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    release(request);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    release(request);
    done();
  });
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(watch);
    loop.disable();
    done();
  });

  function release(request: object): void {
    held -= holding.get(request) ?? 0;
    holding.delete(request);
  }
}

const tooMuch = (why: string): SpillwayError => new SpillwayError('overloaded', `${why}; try again shortly.`);
