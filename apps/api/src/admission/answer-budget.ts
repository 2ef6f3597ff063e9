import { HeldAmounts, SpillwayError } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import type { CalledRequest } from '../auth/caller.js';
import { endWhenStalled } from '../http/end-when-stalled.js';
import { whenClosed } from '../http/when-closed.js';

const mebibyte = 1024 * 1024;

/** Smaller answers fit into the buffers of a connection, or nearly so, and are not counted. */
const minBytes = mebibyte;

/**
 * Upper bounds on the bytes of large answers (pages of messages, contexts with files) that clients have not taken yet: a
 * client that reads slowly, or not at all, keeps its answer in memory. A key has room for two of the largest.
 *
 * An answer is built before it is refused, because its size is not known earlier. Rows have the bytes of what was posted.
 * A page or a context shows a part of that, by its view, scopes and format, and here a string counts by its length, of
 * which one unit has up to three bytes. So an estimate from rows would refuse answers that fit, and a third of it, the
 * safe minimum, is below the limits in most cases. A refused answer costs as much work as one that is sent; a page reads
 * 16 MiB at most.
 */
const limits = { total: 128 * mebibyte, project: 96 * mebibyte, key: 64 * mebibyte };

/**
 * Bounds large answers in sum. One that exceeds a limit is refused in its place, with `too_many_requests` where the share
 * of its key or project is used up, and `overloaded` where all of it is. A client that takes nothing of its answer for
 * `stalledMs` loses the connection.
 */
export function boundAnswers(fastify: FastifyInstance, stalledMs: number): void {
  const held = new HeldAmounts();
  fastify.addHook('onSend', (request: CalledRequest, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const { caller } = request;
    if (bytes < minBytes || !caller) return done(null, payload);
    const [project, key] = [`project ${caller.projectId}`, `key ${caller.keyId}`];
    if (held.of(key) + bytes > limits.key) return done(overShare('This key', limits.key));
    if (held.of(project) + bytes > limits.project) return done(overShare('This project', limits.project));
    if (held.of(all) + bytes > limits.total)
      return done(new SpillwayError('overloaded', 'Too many large answers are in progress. Retry shortly.'));
    whenClosed(request, reply, held.take([key, project, all], bytes));
    endWhenStalled(reply.raw, stalledMs);
    done(null, payload);
  });
}

/** The owner of what all answers hold together. */
const all = 'all';

const overShare = (who: string, bytes: number): SpillwayError =>
  new SpillwayError(
    'too_many_requests',
    `${who} has ${bytes / mebibyte} MiB of answers that their clients have not taken, which is its limit. Wait until some are.`,
  );
