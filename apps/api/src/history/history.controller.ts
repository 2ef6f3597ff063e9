import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { clientId, rewindHeaders, threadRewind } from '@spillway/contracts';
import { rewindThread, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { checked, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { changedThreadView } from '../threads/thread.view.js';

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
}
