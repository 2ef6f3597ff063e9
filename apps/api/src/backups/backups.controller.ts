import { Controller, Get, Param, Put, HttpCode, Req, Res } from '@nestjs/common';
import { clientId, policyInput } from '@spillway/contracts';
import { backUpThread, restoreThread, type Runtime } from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ProjectId } from '../auth/project.js';
import { endWhenStalled } from '../http/end-when-stalled.js';
import { inert } from '../http/inert.js';
import { streamedBody } from '../http/streamed-body.js';
import { checked, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/threads/:id/backup')
export class BackupsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async backUp(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Res() reply: FastifyReply,
  ) {
    const backup = await backUpThread(this.rt, projectId, threadId);
    endWhenStalled(reply.raw, this.rt.timing.stalledDownloadMs);
    return reply.headers(inert('thread-backup.jsonl', 'application/x-ndjson')).send(backup);
  }

  @Put()
  @HttpCode(201)
  async restore(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Req() request: { raw: IncomingMessage },
  ) {
    // A thread may have many outputs, each as large as an upload: only the time is limited.
    const limits = { ...this.rt.uploads, maxBytes: Infinity };
    const restored = await restoreThread(
      this.rt,
      projectId,
      threadId,
      streamedBody(request.raw, limits, this.rt.draining),
      (policy) => checked(policyInput, policy),
    );
    return {
      id: restored.id,
      messages: restored.messages,
      summaries: restored.summaries,
      outputs: restored.outputs,
      missing_outputs: restored.missingOutputs,
      media: restored.media,
      missing_media: restored.missingMedia,
      same_context: restored.sameContext,
    };
  }
}
