import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { clientId, policyPreviewRequest, policySimulate } from '@spillway/contracts';
import {
  changePolicy,
  getPolicy,
  getThreadPolicy,
  previewPolicy,
  simulatePolicy,
  type PolicyView,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { ifVersionOf } from '../http/preconditions.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { policyIn, refuseReadOnly } from './policy-body.js';
import { policyJsonSchema } from './policy-schema.js';
import { budgetView, policyView, runView } from './policy.view.js';

/** What a simulation assumes. */
const assumptions = [
  'Each summary has its maximum length.',
  'A compaction ends before the next message.',
  'One context is read before each message of the assistant, within the limit.',
  'Each message has its recorded tokens: offloading and counting are not repeated.',
];

@Controller('v1')
export class PoliciesController {
  private schemaDocument: Record<string, unknown> | undefined;

  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get('policy')
  async get(@ProjectId() projectId: string, @Res({ passthrough: true }) reply: FastifyReply) {
    return withTag(reply, await getPolicy(this.rt, projectId));
  }

  @Put('policy')
  async change(
    @ProjectId() projectId: string,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const returned = policyIn(body);
    refuseReadOnly(returned, await getPolicy(this.rt, projectId));
    const ifVersion = ifVersionOf(ifMatch ?? returned.version);
    return withTag(reply, await changePolicy(this.rt, projectId, returned.policy, ifVersion, returned.at));
  }

  @Get('policy/schema')
  schema() {
    return (this.schemaDocument ??= policyJsonSchema());
  }

  @Post('policy/preview')
  @HttpCode(200)
  async preview(
    @ProjectId() projectId: string,
    @Body(valid(policyPreviewRequest)) body: z.infer<typeof policyPreviewRequest>,
  ) {
    const { policy, thread_id: threadId } = body;
    const { budget, ...preview } = await previewPolicy(this.rt, projectId, { policy, threadId });
    return { ...preview, budget: budget && budgetView(budget) };
  }

  @Post('policy/simulate')
  @HttpCode(200)
  async simulate(
    @ProjectId() projectId: string,
    @Body(valid(policySimulate)) body: z.infer<typeof policySimulate>,
  ) {
    const { thread_id: threadId, policy, level = 'project' } = body;
    const simulation = await simulatePolicy(this.rt, projectId, { threadId, policy, level });
    const { current, draft } = simulation;
    return {
      thread_id: threadId,
      messages: simulation.messages,
      replayed: simulation.replayed,
      current: runView(current),
      draft: runView(draft),
      sent_ratio: current.tokensSent === 0 ? null : draft.tokensSent / current.tokensSent,
      not_simulated: simulation.notSimulated,
      assumptions,
    };
  }

  @Get('threads/:id/policy')
  async ofThread(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const view = await getThreadPolicy(this.rt, projectId, id);
    return { ...withTag(reply, view), budget: budgetView(view.budget) };
  }
}

function withTag(reply: FastifyReply, view: PolicyView) {
  reply.header('etag', `"${view.version}"`);
  return policyView(view);
}
