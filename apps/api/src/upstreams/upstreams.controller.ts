import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { upstreamProvider, upstreamPut, wholeList } from '@spillway/contracts';
import {
  listUpstreams,
  putUpstream,
  removeUpstream,
  type CallerRow,
  type ListQuery,
  type Runtime,
  type UpstreamProvider,
  type UpstreamRow,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

/** Without its key, which is never shown. */
const upstreamView = (row: UpstreamRow) => ({
  provider: row.provider,
  base_url: row.baseUrl,
  has_key: row.key !== null,
  models: row.models,
  created_at: row.createdAt.toISOString(),
  changed_at: row.changedAt.toISOString(),
});

@Controller('v1/upstreams')
export class UpstreamsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@ProjectId() projectId: string, @Query(valid(wholeList)) query: ListQuery) {
    return listView(await listUpstreams(this.rt, projectId, query), upstreamView);
  }

  @Put(':provider')
  async put(
    @Caller() caller: CallerRow,
    @Param('provider', valid(upstreamProvider)) provider: UpstreamProvider,
    @Body(valid(upstreamPut)) { base_url: baseUrl, key, models = [] }: z.infer<typeof upstreamPut>,
  ) {
    return upstreamView(await putUpstream(this.rt, caller, provider, { baseUrl, key, models }));
  }

  @Delete(':provider')
  @HttpCode(204)
  async remove(
    @ProjectId() projectId: string,
    @Param('provider', valid(upstreamProvider)) provider: UpstreamProvider,
  ): Promise<void> {
    await removeUpstream(this.rt, projectId, provider);
  }
}
