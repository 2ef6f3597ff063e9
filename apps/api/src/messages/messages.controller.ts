import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { clientId, messagesAppend, messagesAppendQuery, messagesQuery } from '@spillway/contracts';
import { appendMessages, findStoredOutputs, listMessages, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { outputRef } from '../outputs/output.view.js';
import { InjectRuntime } from '../runtime.js';
import { compactionView } from '../threads/thread.view.js';

@Controller('v1/threads/:id/messages')
export class MessagesController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post()
  async append(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(messagesAppendQuery)) _query: unknown,
    @Body(valid(messagesAppend)) { messages }: z.infer<typeof messagesAppend>,
    @Res({ passthrough: true })
    reply: { status(code: number): void; header(name: string, value: string): void },
  ) {
    const incoming = messages.map(({ id, pinned, ...body }) => ({
      clientId: id ?? null,
      pinned: pinned ?? false,
      body,
    }));
    const {
      thread,
      messages: recorded,
      replayed,
    } = await appendMessages(this.rt, { projectId, threadId, messages: incoming });
    if (replayed) {
      reply.status(200);
      reply.header('idempotent-replayed', 'true');
    }
    const outputs = await findStoredOutputs(this.rt, projectId, recorded);
    return {
      thread: {
        id: thread.id,
        last_seq: thread.nextSeq - 1,
        live_tokens: thread.liveTokens,
        context_window: thread.contextWindow,
        trigger_tokens: thread.triggerTokens,
        compaction: compactionView(thread),
      },
      messages: recorded.map((message) => {
        const output = message.outputId === null ? undefined : outputs.get(message.outputId);
        return {
          seq: message.seq,
          id: message.clientId,
          role: message.role,
          tokens: message.tokens,
          output: output ? outputRef(output) : null,
          message: message.body,
        };
      }),
    };
  }

  @Get()
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(messagesQuery)) query: z.infer<typeof messagesQuery>,
  ) {
    const page = await listMessages(this.rt, { projectId, threadId, ...query });
    return {
      data: page.data.map(({ row, body, output }) => ({
        seq: row.seq,
        id: row.clientId,
        role: row.role,
        pinned: row.pinned,
        tokens: row.tokens,
        output: output ? outputRef(output) : null,
        message: body,
        created_at: row.createdAt.toISOString(),
      })),
      next_cursor: page.nextCursor,
    };
  }
}
