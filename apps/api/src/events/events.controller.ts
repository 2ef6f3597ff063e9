import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { clientId, eventStreamQuery, threadEventsQuery } from '@spillway/contracts';
import {
  callerWatch,
  EventFeed,
  listThreadEvents,
  readEventId,
  SpillwayError,
  type CallerRow,
  type CallerWatch,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { EventStream, eventStreamType } from './event-stream.js';
import { StreamLimit } from './stream-limit.js';

@Controller('v1')
export class EventsController {
  private readonly feed: EventFeed;
  private readonly callers: CallerWatch;
  private readonly limit = new StreamLimit();

  constructor(@InjectRuntime() private readonly rt: Runtime) {
    this.feed = new EventFeed(rt);
    this.callers = callerWatch(rt);
  }

  @Get('events')
  async stream(
    @Caller() caller: CallerRow,
    @Query(valid(eventStreamQuery)) query: z.infer<typeof eventStreamQuery>,
    @Headers('last-event-id') header: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = afterId(header ?? query.last_event_id);
    if (reply.request.method === 'HEAD') return void reply.type(eventStreamType).send();
    if (this.rt.draining.aborted) throw new SpillwayError('overloaded', 'The server is stopping. Reconnect.');
    const { raw } = reply;
    // A client may hang up while its key is looked up: nothing would give its slot back.
    if (raw.destroyed) return;
    const release = this.limit.take(caller);
    raw.once('close', release);
    const stream = new EventStream(raw);
    const end = () => stream.end();
    const { from, stop } = await this.feed
      .read(
        {
          projectId: caller.projectId,
          threadId: query.thread ?? null,
          give: (rows) => stream.give(rows),
          fail: end,
        },
        after,
      )
      .catch((error: unknown) => {
        release();
        throw error;
      });
    raw.once('close', stop);
    if (raw.destroyed) return stop();
    reply.hijack();
    stream.open(reply.getHeaders(), from);
    const unwatch = this.callers.watch(caller, end);
    if (this.rt.draining.aborted) end();
    else this.rt.draining.addEventListener('abort', end, { once: true });
    raw.once('close', () => {
      unwatch();
      this.rt.draining.removeEventListener('abort', end);
    });
  }

  @Get('threads/:id/events')
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(threadEventsQuery)) query: z.infer<typeof threadEventsQuery>,
  ) {
    const page = await listThreadEvents(this.rt, { projectId, threadId, ...query });
    return { data: page.data, next_cursor: page.nextCursor };
  }
}

/**
 * Returns the position after which to read; null for a new reader. An id that this API did not write is refused, since
 * no position can be derived from it.
 */
function afterId(text: string | undefined) {
  if (text === undefined || text === '') return null;
  const position = readEventId(text);
  if (!position) throw new SpillwayError('invalid_request', 'Last-Event-ID is not a valid event id.');
  return position;
}
