import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { currentSession, endSession, startSession, type CallerRow, type Runtime } from '@spillway/service';
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

  @Delete('current')
  @HttpCode(204)
  async end(@Caller() caller: CallerRow): Promise<void> {
    await endSession(this.rt, caller);
  }
}
