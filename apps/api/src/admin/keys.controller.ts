import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { keyCreate, keyId, keyPatch, wholeList } from '@spillway/contracts';
import {
  changeKey,
  createKey,
  listKeys,
  revokeKey,
  type CallerRow,
  type KeyOfToday,
  type KeyRow,
  type ListQuery,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { givenId, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

/** A new key took nothing today. */
export const keyView = (row: KeyRow & Partial<Pick<KeyOfToday, 'chatTokensToday'>>) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  max_chat_tokens_per_day: row.maxChatTokensPerDay === null ? null : Number(row.maxChatTokensPerDay),
  chat_tokens_today: row.chatTokensToday ?? 0,
});

const keyOf = givenId(keyId, 'key_not_found', 'No such key.');

@Controller('v1/keys')
export class KeysController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@ProjectId() projectId: string, @Query(valid(wholeList)) query: ListQuery) {
    return listView(await listKeys(this.rt, projectId, query), keyView);
  }

  @Post()
  async create(@Caller() caller: CallerRow, @Body(valid(keyCreate)) body: z.infer<typeof keyCreate>) {
    const { name, scopes, expires_at: end, max_chat_tokens_per_day: maxChatTokensPerDay = null } = body;
    const expiresAt = typeof end === 'string' ? new Date(end) : end;
    const { row, key } = await createKey(this.rt, caller, { name, scopes, expiresAt, maxChatTokensPerDay });
    return { ...keyView(row), key };
  }

  @Patch(':id')
  async change(
    @ProjectId() projectId: string,
    @Param('id', keyOf) id: string,
    @Body(valid(keyPatch)) { name, max_chat_tokens_per_day: maxChatTokensPerDay }: z.infer<typeof keyPatch>,
  ) {
    return keyView(await changeKey(this.rt, projectId, id, { name, maxChatTokensPerDay }));
  }

  @Delete(':id')
  @HttpCode(204)
  async revoke(@ProjectId() projectId: string, @Param('id', keyOf) id: string): Promise<void> {
    await revokeKey(this.rt, projectId, id);
  }
}
