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
  Put,
  Query,
  Res,
} from '@nestjs/common';
import {
  clientId,
  threadCountsQuery,
  threadCreate,
  threadPatch,
  threadPut,
  threadQuery,
} from '@spillway/contracts';
import {
  changeThread,
  countThreads,
  createThread,
  eraseThread,
  fixedContentOf,
  getThread,
  listThreads,
  noSettings,
  putThread,
  refuseGuarded,
  threadWarnings,
  withCurrentBudget,
  type CallerRow,
  type FixedContent,
  type Runtime,
  type ThreadRow,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { ifVersionOf } from '../http/preconditions.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { threadFilter } from './thread-filter.js';
import { threadCountsView, threadListedView, threadView, threadViewFor } from './thread.view.js';

const mayManage = (scopes: CallerRow['scopes']): boolean =>
  scopes.includes('threads:manage') || scopes.includes('admin');

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
    const { id, ...settings } = body;
    if (!mayManage(scopes)) await refuseGuarded(this.rt, projectId, settings.policy ?? {});
    const input = { ...noSettings, ...settings };
    const { thread, created } = await createThread(this.rt, projectId, id, input);
    reply.status(created ? 201 : 200);
    return this.view(thread);
  }

  @Get('threads')
  async list(@ProjectId() projectId: string, @Query(valid(threadQuery)) query: z.infer<typeof threadQuery>) {
    const { sort, direction, limit, cursor, ...filter } = query;
    const page = await listThreads(this.rt, {
      ...threadFilter(projectId, filter),
      ...{ order: sort, direction, limit, cursor },
    });
    return listView(page, threadListedView);
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
    return this.view(shown, detail);
  }

  @Put('threads/:id')
  async put(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) id: string,
    @Body(valid(threadPut)) body: z.infer<typeof threadPut>,
    @Res({ passthrough: true }) reply: { status(code: number): void },
  ) {
    const of = { projectId: caller.projectId, id, mayManage: mayManage(caller.scopes) };
    const { thread, created } = await putThread(this.rt, of, body);
    reply.status(created ? 201 : 200);
    return this.viewFor(thread, caller);
  }

  @Patch('threads/:id')
  async change(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) id: string,
    @Body(valid(threadPatch)) body: z.infer<typeof threadPatch>,
    @Headers('if-match') ifMatch: string | undefined,
  ) {
    const row = await changeThread(this.rt, caller.projectId, id, body, ifVersionOf(ifMatch));
    return this.viewFor(row, caller);
  }

  @Delete('threads/:id')
  @HttpCode(204)
  async erase(@ProjectId() projectId: string, @Param('id', valid(clientId)) id: string): Promise<void> {
    await eraseThread(this.rt, projectId, id);
  }

  private async view(row: ThreadRow, detail: FixedContent | null = null) {
    return { ...threadView(row, detail), warnings: await threadWarnings(this.rt, row) };
  }

  /** A changed thread, with what this caller may read of it. */
  private async viewFor(row: ThreadRow, caller: CallerRow) {
    const shown = await withCurrentBudget(this.rt, row);
    return { ...threadViewFor(shown, caller), warnings: await threadWarnings(this.rt, row) };
  }
}
