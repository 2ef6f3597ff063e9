import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { sessionProof } from '@spillway/contracts';
import {
  currentSession,
  endSession,
  proveSession,
  startSession,
  type CallerRow,
  type Runtime,
} from '@spillway/service';
import type { z } from 'zod';
import { valid } from '../http/valid.js';
import { InjectRuntime } from '../runtime.js';
import { Caller } from './caller.js';

@Controller('v1/sessions')
export class SessionsController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Post()
  async start(@Caller() caller: CallerRow) {
    const { token, expiresAt } = await startSession(this.rt, caller);
    return { token, expires_at: expiresAt.toISOString() };
  }

  @Get('current')
  async current(@Caller() caller: CallerRow) {
    const { project, key } = await currentSession(this.rt, caller);
    return { project, key, scopes: caller.scopes, is_session: caller.sessionId !== null };
  }

  @Post('current/proof')
  @HttpCode(204)
  async prove(
    @Caller() caller: CallerRow,
    @Body(valid(sessionProof)) { key }: z.infer<typeof sessionProof>,
  ): Promise<void> {
    await proveSession(this.rt, caller, key);
  }

  @Delete('current')
  @HttpCode(204)
  async end(@Caller() caller: CallerRow): Promise<void> {
    await endSession(this.rt, caller);
  }
}
