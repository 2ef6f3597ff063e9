import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  clientId,
  threadTokenCreate,
  threadTokenId,
  threadTokenLifetime,
  wholeList,
} from '@spillway/contracts';
import {
  createThreadToken,
  listThreadTokens,
  revokeThreadToken,
  type CallerRow,
  type ListQuery,
  type Runtime,
  type ThreadTokenRow,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { listView } from '../http/list.view.js';
import { givenId, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

const tokenView = (row: ThreadTokenRow, threadId: string) => ({
  id: row.id,
  thread_id: threadId,
  key_id: row.keyId,
  key_name: row.keyName,
  scopes: row.scopes,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

const tokenOf = givenId(threadTokenId, 'token_not_found', 'This thread has no such token.');

@Controller('v1/threads/:id/tokens')
export class ThreadTokensController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post()
  async create(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(threadTokenCreate)) body: z.infer<typeof threadTokenCreate>,
  ) {
    const { scopes, ttl_s: seconds = threadTokenLifetime.default } = body;
    const { row, token } = await createThreadToken(this.rt, caller, threadId, {
      scopes,
      ttlMs: seconds * 1_000,
    });
    return { ...tokenView(row, threadId), token };
  }

  @Get()
  async list(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(wholeList)) query: ListQuery,
  ) {
    const page = await listThreadTokens(this.rt, caller, threadId, query);
    return listView(page, (row) => tokenView(row, threadId));
  }

  @Delete(':token_id')
  @HttpCode(204)
  async revoke(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Param('token_id', tokenOf) id: string,
  ): Promise<void> {
    await revokeThreadToken(this.rt, caller, threadId, id);
  }
}
