import { Controller, Get, Query } from '@nestjs/common';
import { attemptsQuery } from '@spillway/contracts';
import { listProjectAttempts, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { attemptView } from '../summaries/summary.view.js';

@Controller('v1/compactions')
export class AttemptsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(
    @ProjectId() projectId: string,
    @Query(valid(attemptsQuery)) query: z.infer<typeof attemptsQuery>,
  ) {
    const page = await listProjectAttempts(this.rt, { projectId, ...query });
    return listView(page, (row) => ({ ...attemptView(row), thread_id: row.threadId }));
  }
}
