import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { clientId, threadCountsQuery, threadCreate, threadPatch, threadQuery } from '@spillway/contracts';
import {
  changeThread,
  countThreads,
  createThread,
  eraseThread,
  fixedContentOf,
  getThread,
  listThreads,
  refuseGuarded,
  withCurrentBudget,
  type CallerRow,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { isMeantFor } from '../http/if-match.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { threadFilter } from './thread-filter.js';
import { threadCountsView, threadListedView, threadView, threadViewFor } from './thread.view.js';

@Controller('v1')
export class ThreadsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post('threads')
  async create(
    @ProjectId() projectId: string,
    @Caller() { scopes }: CallerRow,
    @Body(valid(threadCreate)) body: z.infer<typeof threadCreate>,
    @Res({ passthrough: true }) reply: { status(code: number): void },
  ) {
    const { id, model = null, system = null, tools = null, metadata = {}, policy = {} } = body;
    const manages = scopes.includes('threads:manage') || scopes.includes('admin');
    if (!manages) await refuseGuarded(this.rt, projectId, policy);
    const { thread, created } = await createThread(this.rt, projectId, id, {
      model,
      system,
      tools,
      metadata,
      policy,
    });
    reply.status(created ? 201 : 200);
    return threadView(thread);
  }

  @Get('threads')
  async list(@ProjectId() projectId: string, @Query(valid(threadQuery)) query: z.infer<typeof threadQuery>) {
    const { sort, direction, limit, cursor, ...filter } = query;
    const page = await listThreads(this.rt, {
      ...threadFilter(projectId, filter),
      ...{ order: sort, direction, limit, cursor },
    });
    return { data: page.data.map(threadListedView), next_cursor: page.nextCursor };
  }

  @Get('thread-counts')
  async count(
    @ProjectId() projectId: string,
    @Query(valid(threadCountsQuery)) query: z.infer<typeof threadCountsQuery>,
  ) {
    return threadCountsView(await countThreads(this.rt, threadFilter(projectId, query)));
  }

  @Get('threads/:id')
  async get(@ProjectId() projectId: string, @Param('id', valid(clientId)) id: string) {
    const row = await getThread(this.rt, projectId, id);
    const [shown, detail] = await Promise.all([
      withCurrentBudget(this.rt, row),
      fixedContentOf(this.rt, row),
    ]);
    return threadView(shown, detail);
  }

  @Patch('threads/:id')
  async change(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) id: string,
    @Body(valid(threadPatch)) body: z.infer<typeof threadPatch>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    const row = await changeThread(this.rt, caller.projectId, id, body, isMeantFor(ifMatch));
    return threadViewFor(await withCurrentBudget(this.rt, row), caller);
  }

  @Delete('threads/:id')
  @HttpCode(204)
  async erase(@ProjectId() projectId: string, @Param('id', valid(clientId)) id: string): Promise<void> {
    await eraseThread(this.rt, projectId, id);
  }
}
