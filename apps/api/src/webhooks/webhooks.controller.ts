import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  deliveriesQuery,
  secretRotate,
  webhookCreate,
  webhookId,
  webhookPatch,
  wholeList,
} from '@spillway/contracts';
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  rotateSecret,
  testWebhook,
  type CallerRow,
  type ListQuery,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { givenId, valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { deliveryView, webhookView } from './webhook.view.js';

const dayMs = 86_400_000;
const webhookOf = givenId(webhookId, 'webhook_not_found', 'No such webhook.');
const deliveryOf = givenId(webhookId, 'delivery_not_found', 'The webhook has no such delivery.');

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(@ProjectId() projectId: string, @Query(valid(wholeList)) query: ListQuery) {
    return listView(await listWebhooks(this.rt, projectId, query), webhookView);
  }

  @Post()
  async create(@Caller() caller: CallerRow, @Body(valid(webhookCreate)) body: z.infer<typeof webhookCreate>) {
    const { url, types = [], description = '' } = body;
    const { row, secret } = await createWebhook(this.rt, caller, { url, types, description });
    return { ...webhookView(row), secret };
  }

  @Get(':id')
  async get(@ProjectId() projectId: string, @Param('id', webhookOf) id: string) {
    return webhookView(await getWebhook(this.rt, projectId, id));
  }

  @Patch(':id')
  async change(
    @Caller() caller: CallerRow,
    @Param('id', webhookOf) id: string,
    @Body(valid(webhookPatch)) body: z.infer<typeof webhookPatch>,
  ) {
    return webhookView(await changeWebhook(this.rt, caller, id, body));
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@ProjectId() projectId: string, @Param('id', webhookOf) id: string): Promise<void> {
    await removeWebhook(this.rt, projectId, id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  async rotate(
    @Caller() caller: CallerRow,
    @Param('id', webhookOf) id: string,
    @Body(valid(secretRotate)) { overlap_ms: overlapMs = dayMs }: z.infer<typeof secretRotate>,
  ) {
    const { row, secret } = await rotateSecret(this.rt, caller, id, overlapMs);
    return { ...webhookView(row), previous_secret_until: row.previousSecretUntil!.toISOString(), secret };
  }

  @Post(':id/test')
  @HttpCode(202)
  async test(@ProjectId() projectId: string, @Param('id', webhookOf) id: string) {
    return deliveryView(await testWebhook(this.rt, projectId, id));
  }

  @Get(':id/deliveries')
  async deliveries(
    @ProjectId() projectId: string,
    @Param('id', webhookOf) id: string,
    @Query(valid(deliveriesQuery)) query: z.infer<typeof deliveriesQuery>,
  ) {
    const page = await listDeliveries(this.rt, projectId, id, query);
    return listView(page, deliveryView);
  }

  @Post(':id/deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  async redeliver(
    @ProjectId() projectId: string,
    @Param('id', webhookOf) id: string,
    @Param('delivery_id', deliveryOf) deliveryId: string,
  ) {
    return deliveryView(await redeliver(this.rt, projectId, id, deliveryId));
  }
}
