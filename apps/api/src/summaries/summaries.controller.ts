import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { clientId, factsQuery, maxSeq, pagedList, wholeNumber, writtenSummary } from '@spillway/contracts';
import {
  checkFacts,
  currentFidelity,
  decideProposal,
  getMadeSummary,
  listSummaries,
  quarantineSummary,
  restoreSummary,
  slotsOfSummaries,
  storedFidelity,
  undoSummary,
  writeSummary,
  type CallerRow,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { Caller } from '../auth/caller.js';
import { ProjectId } from '../auth/project.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { compactionView } from '../threads/thread.view.js';
import { factsView } from './facts.view.js';
import {
  fidelityView,
  lossesView,
  slotsView,
  spendingView,
  summaryView,
  summaryViewFor,
} from './summary.view.js';

const generation = wholeNumber(1, maxSeq);

@Controller('v1/threads/:id/summaries')
export class SummariesController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(pagedList)) query: z.infer<typeof pagedList>,
  ) {
    const { thread, page } = await listSummaries(this.rt, { projectId, threadId, ...query });
    const summaries = page.data.map(({ summary }) => summary);
    const slots = await slotsOfSummaries(this.rt, thread, summaries);
    return {
      data: page.data.map(({ summary, madeBy }, i) => ({
        ...summaryView(summary, thread),
        ...spendingView(madeBy),
        ...slotsView(slots[i]!),
        ...fidelityView(storedFidelity(summary)),
      })),
      next_cursor: page.nextCursor,
    };
  }

  @Post()
  async write(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(writtenSummary)) body: z.infer<typeof writtenSummary>,
    @Res({ passthrough: true }) reply: { status(code: number): void },
  ) {
    const { summary, thread, created } = await writeSummary(this.rt, {
      ...{ projectId: caller.projectId, keyId: caller.keyId, threadId },
      ...{ fields: body.fields, toSeq: body.to_seq, expectedGeneration: body.expected_generation },
    });
    reply.status(created ? 201 : 200);
    return { ...summaryViewFor(summary, thread, caller), ...spendingView(undefined) };
  }

  @Get(':generation')
  async get(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
  ) {
    const { summary, madeBy, thread } = await getMadeSummary(this.rt, projectId, threadId, number);
    const [slots] = await slotsOfSummaries(this.rt, thread, [summary]);
    const fidelity = await currentFidelity(this.rt, thread, summary);
    return {
      ...summaryView(summary, thread),
      ...spendingView(madeBy),
      ...slotsView(slots!),
      ...lossesView(fidelity),
    };
  }

  @Get(':generation/facts')
  async facts(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
    @Query(valid(factsQuery)) query: z.infer<typeof factsQuery>,
  ) {
    return factsView(await checkFacts(this.rt, { projectId, threadId, generation: number, ...query }));
  }

  @Delete(':generation')
  async undo(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
  ) {
    const { thread, restoredFrom } = await undoSummary(this.rt, projectId, threadId, number);
    return { undone: number, restored_from: restoredFrom, compaction: compactionView(thread) };
  }

  @Post(':generation/approve')
  @HttpCode(202)
  async approve(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
  ) {
    const of = { projectId, threadId, generation: number };
    const thread = await decideProposal(this.rt, { ...of, approve: true });
    return { generation: number, compaction: compactionView(thread) };
  }

  @Post(':generation/reject')
  @HttpCode(200)
  async reject(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
  ) {
    const of = { projectId, threadId, generation: number };
    const thread = await decideProposal(this.rt, { ...of, approve: false });
    return { generation: number, compaction: compactionView(thread) };
  }

  @Post(':generation/quarantine')
  @HttpCode(202)
  async quarantine(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
  ) {
    const { thread, isDue } = await quarantineSummary(this.rt, projectId, threadId, number);
    return { result: isDue ? 'queued' : 'nothing_to_compact', compaction: compactionView(thread) };
  }

  @Post(':generation/restore')
  @HttpCode(200)
  async restore(
    @Caller() caller: CallerRow,
    @Param('id', valid(clientId)) threadId: string,
    @Param('generation', valid(generation)) number: number,
  ) {
    const { summary, thread } = await restoreSummary(this.rt, caller.projectId, threadId, number);
    return { ...summaryViewFor(summary, thread, caller), ...spendingView(undefined) };
  }
}
