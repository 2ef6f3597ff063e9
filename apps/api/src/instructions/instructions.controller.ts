import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { clientId, instructionAdd, instructionChange, instructionsQuery } from '@spillway/contracts';
import { addInstruction, decideInstruction, listInstructions, type Runtime } from '@spillway/service';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { listView } from '../http/list.view.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { changedInstructionView, instructionView } from './instruction.view.js';

@Controller('v1/threads/:id/instructions')
export class InstructionsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async list(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Query(valid(instructionsQuery)) query: z.infer<typeof instructionsQuery>,
  ) {
    return listView(await listInstructions(this.rt, { projectId, threadId, ...query }), instructionView);
  }

  @Post()
  async add(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(instructionAdd)) { text }: z.infer<typeof instructionAdd>,
  ) {
    return changedInstructionView(await addInstruction(this.rt, { projectId, threadId, text: text.trim() }));
  }

  @Patch(':instruction_id')
  async change(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Param('instruction_id', valid(clientId)) id: string,
    @Body(valid(instructionChange)) { state }: z.infer<typeof instructionChange>,
  ) {
    return changedInstructionView(await decideInstruction(this.rt, { projectId, threadId, id, state }));
  }
}
