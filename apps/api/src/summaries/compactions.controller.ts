import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { clientId, compactionPreviewRequest, compactionRequest, pagedList } from '@spillway/contracts';
import {
  listCompactions,
  previewCompaction,
  rebuildSummary,
  requestCompaction,
  retryThread,
  type CallerRow,
  type CompactionAnswer,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { compactionView, threadViewFor } from '../threads/thread.view.js';
import { previewView } from './preview.view.js';
import { attemptView } from './summary.view.js';

const resultView = ({ result, thread }: CompactionAnswer) => ({ result, compaction: compactionView(thread) });

@Controller('v1/threads/:id')
export class CompactionsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post('compactions')
  async request(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(compactionRequest)) { policy, wait_ms: waitMs }: z.infer<typeof compactionRequest>,
    @Res({ passthrough: true }) reply: { status(code: number): void },
  ) {
    const options = { ...(policy ? { policy } : {}), ...(waitMs ? { waitMs } : {}) };
    const answer = await requestCompaction(this.rt, projectId, threadId, options);
    reply.status(['queued', 'paused', 'running'].includes(answer.result) ? 202 : 200);
    return resultView(answer);
  }

  @Post('compactions/preview')
  @HttpCode(200)
  async preview(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(compactionPreviewRequest)) { policy }: z.infer<typeof compactionPreviewRequest>,
  ) {
    return previewView(await previewCompaction(this.rt, projectId, threadId, policy));
  }

  @Get('compactions')
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(pagedList)) query: z.infer<typeof pagedList>,
  ) {
    const page = await listCompactions(this.rt, { projectId, threadId, ...query });
    return listView(page, attemptView);
  }

  @Post('rebuild')
  @HttpCode(202)
  async rebuild(@ProjectId() projectId: string, @Param('id', valid(clientId)) threadId: string) {
    return resultView(await rebuildSummary(this.rt, projectId, threadId));
  }

  @Post('retry')
  @HttpCode(200)
  async retry(@Caller() caller: CallerRow, @Param('id', valid(clientId)) threadId: string) {
    return threadViewFor(await retryThread(this.rt, caller.projectId, threadId), caller);
  }
}
