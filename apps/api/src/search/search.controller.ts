import { Controller, Get, Param, Query } from '@nestjs/common';
import { clientId, searchQuery, type searchHit } from '@spillway/contracts';
import { searchThread, type CallerRow, type Runtime, type SearchHit } from '@spillway/service';
import type { z } from 'zod';
import { Caller, mayRead } from '../auth/caller.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/threads/:id/search')
export class SearchController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
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
}

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
