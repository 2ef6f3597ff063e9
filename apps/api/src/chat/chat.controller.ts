import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { chatTurn, clientId } from '@spillway/contracts';
import { chat, type Runtime } from '@spillway/service';
import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { ProjectId } from '../auth/project.js';
import { whenAbandoned } from '../http/abandoned.js';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';

@Controller('v1/threads/:id/chat')
export class ChatController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post()
  @HttpCode(200)
  async say(
    @ProjectId() projectId: string,
    @Param('id', valid(clientId)) threadId: string,
    @Body(valid(chatTurn)) { content, model }: z.infer<typeof chatTurn>,
    @Res({ passthrough: true }) response: { raw: ServerResponse },
  ) {
    const signal = whenAbandoned(response.raw);
    const turn = { projectId, threadId, content: content ?? null, model: model ?? null, signal };
    const reply = await chat(this.rt, turn);
    const { seq, message, contextTokens, usage = null } = reply;
    return { seq, message, context_tokens: contextTokens, usage };
  }
}
