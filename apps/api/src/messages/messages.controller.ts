import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  clientId,
  holdRange,
  messageChange,
  messagesAppendHeaders,
  messagesAppendQuery,
  maxSeq,
  messageQuery,
  messagesQuery,
  wholeNumber,
  type PostedMessages,
} from '@spillway/contracts';
import {
  appendMessages,
  eraseMessage,
  getMessage,
  holdMessages,
  listMessages,
  outputsOfAppended,
  pinMessage,
  SpillwayError,
  threadWarnings,
  type CallerRow,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Caller, mayRead } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { checked, checkedQuery, valid } from '../http/valid.js';
import { incomingMessages } from './incoming-message.js';
import { namedByKey } from './named-by-key.js';
import { nextContext } from './next-context.js';
import { messageView } from './message.view.js';
import { heldView } from './held.view.js';
import { outputRef } from '../outputs/output.view.js';
import { InjectRuntime } from '../runtime.js';
import { changedThreadView, compactionView } from '../threads/thread.view.js';

interface AppendRequest {
  id: string;
  caller: CallerRow;
  params: { id: string };
  query: unknown;
  headers: Record<string, unknown>;
  body: unknown;
}

const messageSeq = wholeNumber(1, maxSeq);

@Controller('v1/threads/:id/messages')
export class MessagesController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post()
  async append(
    // The request as a whole: for each part of it that a parameter names, Nest makes several promises.
    @Req() { id, caller, params, query, headers: sent, body }: AppendRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const threadId = checked(clientId, params.id, 'id');
    const { context: withContext, format, ...options } = checkedQuery(messagesAppendQuery, query);
    if (withContext && !mayRead(caller, 'context:read'))
      throw new SpillwayError('forbidden', 'context=true needs a key with the scope context:read.');
    const headers = checked(messagesAppendHeaders, sent);
    const { usage, fingerprint } = Object(body) as Partial<PostedMessages>;
    const posted = usage == null ? null : { usage, fingerprint: fingerprint ?? null };
    const {
      thread,
      messages: recorded,
      replayed,
      usage: outcome,
    } = await appendMessages(this.rt, {
      projectId: caller.projectId,
      threadId,
      messages: (threadFormat) => incomingMessages(body, format ?? threadFormat, headers['idempotency-key']),
      usage: posted,
      ifLastSeq: headers['if-match'],
    }).catch((error: unknown) => {
      throw namedByKey(error, body);
    });
    if (replayed) {
      reply.status(200);
      reply.header('idempotent-replayed', 'true');
    }
    const outputs = await outputsOfAppended(this.rt, thread, recorded);
    return {
      thread: {
        ...changedThreadView(thread),
        warnings: await threadWarnings(this.rt, thread),
      },
      usage: outcome,
      messages: recorded.map((message) => {
        const own = (outputs.get(message.seq) ?? []).map(outputRef);
        return {
          seq: message.seq,
          id: message.clientId,
          role: message.role,
          tokens: message.tokens,
          format: message.format,
          output: own[0] ?? null,
          outputs: own,
          message: message.body,
        };
      }),
      ...(withContext ? await nextContext(this.rt, caller, thread, { format, ...options }, id) : {}),
    };
  }

  @Get()
  async list(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(messagesQuery)) query: z.infer<typeof messagesQuery>,
  ) {
    const withOutputs = mayRead(caller, 'outputs:read');
    const page = await listMessages(this.rt, {
      projectId: caller.projectId,
      threadId,
      withOutputs,
      ...query,
    });
    return listView(page, messageView);
  }

  @Get(':seq')
  async one(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Param('seq', valid(messageSeq)) seq: number,
    @Query(valid(messageQuery)) { around = 0, view }: z.infer<typeof messageQuery>,
  ) {
    const messages = await getMessage(this.rt, {
      projectId: caller.projectId,
      threadId,
      seq,
      around,
      view,
      withOutputs: mayRead(caller, 'outputs:read'),
    });
    return { seq, data: messages.map(messageView) };
  }

  @Patch(':seq')
  async change(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('seq', valid(messageSeq)) seq: number,
    @Body(valid(messageChange)) { pinned }: z.infer<typeof messageChange>,
  ) {
    const thread = await pinMessage(this.rt, { projectId, threadId, seq, pinned });
    return { seq, pinned, compaction: compactionView(thread) };
  }

  @Post('keep')
  @HttpCode(200)
  keep(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(holdRange)) range: z.infer<typeof holdRange>,
  ) {
    return this.hold(projectId, threadId, range, 'keep');
  }

  @Post('release')
  @HttpCode(200)
  release(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(holdRange)) range: z.infer<typeof holdRange>,
  ) {
    return this.hold(projectId, threadId, range, 'release');
  }

  private async hold(
    projectId: string,
    threadId: string,
    { from_seq: fromSeq, to_seq: toSeq }: z.infer<typeof holdRange>,
    hold: 'keep' | 'release',
  ) {
    return heldView(await holdMessages(this.rt, { projectId, threadId, fromSeq, toSeq, hold }));
  }

  @Delete(':seq')
  @HttpCode(204)
  async erase(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('seq', valid(messageSeq)) seq: number,
  ): Promise<void> {
    await eraseMessage(this.rt, projectId, threadId, seq);
  }
}
