import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { pauseServerCompaction, serverPause, type Runtime, type ServerPause } from '@spillway/service';
import { InjectRuntime } from '../runtime.js';

const pauseView = ({ pausedAt, pausedProjects }: ServerPause) => ({
  paused_at: pausedAt?.toISOString() ?? null,
  paused_projects: pausedProjects,
});

/** What the operator does to all projects: admission has checked the password. */
@Controller('v1/server/compaction')
export class ServerController {
  constructor(@InjectRuntime() private readonly rt: Runtime) {}

  @Get()
  async read() {
    return pauseView(await serverPause(this.rt));
  }

  @Post('pause')
  @HttpCode(200)
  async pause() {
    return pauseView(await pauseServerCompaction(this.rt, true));
  }

  @Post('resume')
  @HttpCode(200)
  async resume() {
    return pauseView(await pauseServerCompaction(this.rt, false));
  }
}
