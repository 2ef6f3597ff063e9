import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  adminKeyCreate,
  projectCreate,
  projectErasure,
  projectId,
  projectUsageQuery,
  wholeList,
} from '@spillway/contracts';
import {
  createAdminKey,
  createProject,
  eraseProject,
  listProjects,
  pauseCompaction,
  readProjectUsage,
  suspendProject,
  type ListQuery,
  type ProjectRow,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { listView } from '../http/list.view.js';
import { givenId, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { projectUsageView } from '../usage/project-usage.view.js';
import { keyView } from './keys.controller.js';

const projectView = (row: ProjectRow) => ({
  id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  admin_keys: row.adminKeys,
  erased_at: row.erasedAt?.toISOString() ?? null,
  suspended_at: row.suspendedAt?.toISOString() ?? null,
  compaction_paused_at: row.compactionPausedAt?.toISOString() ?? null,
});

const projectOf = givenId(projectId.shape.id, 'project_not_found', 'No such project.');

/** For the operator alone: admission has checked the password. */
@Controller('v1/projects')
export class ProjectsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@Query(valid(wholeList)) query: ListQuery) {
    return listView(await listProjects(this.rt, query), projectView);
  }

  @Get('usage')
  async usage(@Query(valid(projectUsageQuery)) { from, to, ...query }: z.infer<typeof projectUsageQuery>) {
    const range = { ...(from ? { from: new Date(from) } : {}), ...(to ? { to: new Date(to) } : {}) };
    const { sort, limit, cursor } = query;
    const list = { ...(sort ? { sort } : {}), ...(limit ? { limit } : {}), ...(cursor ? { cursor } : {}) };
    return projectUsageView(await readProjectUsage(this.rt, { ...range, ...list }));
  }

  @Post()
  async create(@Body(valid(projectCreate)) { name }: z.infer<typeof projectCreate>) {
    const { row, key } = await createProject(this.rt, name);
    return { ...projectView(row), key };
  }

  @Delete(':id')
  @HttpCode(202)
  async erase(
    @Param('id', projectOf) id: string,
    @Query(valid(projectErasure)) { name }: z.infer<typeof projectErasure>,
  ) {
    return projectView(await eraseProject(this.rt, { id, name }));
  }

  @Post(':id/suspend')
  @HttpCode(200)
  async suspend(@Param('id', projectOf) id: string) {
    return projectView(await suspendProject(this.rt, id, true));
  }

  @Post(':id/resume')
  @HttpCode(200)
  async resume(@Param('id', projectOf) id: string) {
    return projectView(await suspendProject(this.rt, id, false));
  }

  @Post(':id/compaction/pause')
  @HttpCode(200)
  async pause(@Param('id', projectOf) id: string) {
    return projectView(await pauseCompaction(this.rt, id, true));
  }

  @Post(':id/compaction/resume')
  @HttpCode(200)
  async resumeCompaction(@Param('id', projectOf) id: string) {
    return projectView(await pauseCompaction(this.rt, id, false));
  }

  @Post(':id/keys')
  async createKey(
    @Param('id', projectOf) id: string,
    @Body(valid(adminKeyCreate)) { name }: z.infer<typeof adminKeyCreate>,
  ) {
    const { row, key } = await createAdminKey(this.rt, id, name);
    return { ...keyView(row), key };
  }
}
