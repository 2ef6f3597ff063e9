import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { clientId, rewindHeaders, threadFork, threadRewind } from '@spillway/contracts';
import { forkThread, rewindThread, threadWarnings, type CallerRow, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { checked, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { changedThreadView, threadViewFor } from './thread.view.js';

@Controller('v1/threads/:id')
export class HistoryController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post('rewind')
  @HttpCode(200)
  async rewind(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Headers() sent: Record<string, unknown>,
    @Body(valid(threadRewind)) { to_seq: toSeq }: z.infer<typeof threadRewind>,
    @Res({ passthrough: true }) reply: { header(name: string, value: string): void },
  ) {
    const headers = checked(rewindHeaders, sent);
    const { thread, messages, replayed } = await rewindThread(this.rt, {
      projectId,
      threadId,
      toSeq,
      ifLastSeq: headers['if-match'],
      key: headers['idempotency-key'],
    });
    if (replayed) reply.header('idempotent-replayed', 'true');
    return { thread: changedThreadView(thread), messages };
  }

  @Post('fork')
  async fork(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(threadFork)) { at, id: newId }: z.infer<typeof threadFork>,
    @Res({ passthrough: true }) reply: { status(code: number): void },
  ) {
    const { projectId } = caller;
    const { thread, created } = await forkThread(this.rt, { projectId, threadId, at, newId });
    reply.status(created ? 201 : 200);
    return { ...threadViewFor(thread, caller), warnings: await threadWarnings(this.rt, thread) };
  }
}
