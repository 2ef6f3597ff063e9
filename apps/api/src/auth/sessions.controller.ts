import { Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { endSession, startSession, type CallerRow, type Runtime } from '@spillway/service';
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

  @Delete('current')
  @HttpCode(204)
  async end(@Caller() caller: CallerRow): Promise<void> {
    await endSession(this.rt, caller);
  }
}
