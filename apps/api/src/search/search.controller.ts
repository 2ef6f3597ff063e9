import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  clientId,
  projectSearchQuery,
  searchQuery,
  type foundThread,
  type searchHit,
} from '@spillway/contracts';
import {
  searchProject,
  searchThread,
  type CallerRow,
  type FoundThread,
  type Runtime,
  type SearchHit,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller, mayRead } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1')
export class SearchController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get('threads/:id/search')
  async search(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(searchQuery)) query: z.infer<typeof searchQuery>,
  ) {
    const { hits, nextCursor, truncated } = await searchThread(this.rt, {
      projectId: caller.projectId,
      threadId,
      q: query.q,
      role: query.role,
      tool: query.tool,
      kind: query.kind,
      fromSeq: query.from_seq,
      toSeq: query.to_seq,
      limit: query.limit ?? 20,
      maxTokens: query.max_tokens,
      cursor: query.cursor,
      withOutputs: mayRead(caller, 'outputs:read'),
    });
    return { data: hits.map(hitView), next_cursor: nextCursor, truncated };
  }

  @Get('search')
  async searchProject(
    @ProjectId() projectId: string,
    @Query(valid(projectSearchQuery)) query: z.infer<typeof projectSearchQuery>,
  ) {
    const { found, threads, createdAfter, nextCursor } = await searchProject(this.rt, {
      q: query.q,
      role: query.role,
      threads: {
        projectId,
        model: query.model,
        metadata: query.metadata,
        createdAfter: query.created_after,
        createdBefore: query.created_before,
        updatedAfter: query.updated_after,
        updatedBefore: query.updated_before,
      },
      limit: query.limit ?? 20,
      cursor: query.cursor,
    });
    const searched = { threads, created_after: createdAfter?.toISOString() ?? null };
    return { data: found.map(foundView), next_cursor: nextCursor, searched };
  }
}

const foundView = ({ thread, hits, more }: FoundThread): z.infer<typeof foundThread> => ({
  id: thread.id,
  model: thread.model,
  created_at: thread.createdAt.toISOString(),
  updated_at: thread.updatedAt.toISOString(),
  last_seq: thread.nextSeq - 1,
  hits,
  more,
});

const hitView = (hit: SearchHit): z.infer<typeof searchHit> => ({
  seq: hit.seq,
  role: hit.role,
  participant: hit.participant,
  match: hit.match,
  snippet: hit.snippet,
  windows: hit.windows,
  complete: hit.complete,
  pair: hit.pair,
  followed_by: hit.followedBy,
  covered_by: hit.coveredBy,
  output: hit.output,
});
