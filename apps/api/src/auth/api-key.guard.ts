import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SpillwayError } from '@spillway/service';
import { authenticator, type Authenticate, type Runtime } from '@spillway/service';
import { InjectRuntime } from '../runtime.js';
import { OPEN } from './open.js';
import type { Caller } from './project.js';

const bearer = /^Bearer ([\x21-\x7e]{1,200})$/i;

/** Lets a request in by its API key, and says which project it speaks for. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly authenticate: Authenticate;

  constructor(
    private readonly reflector: Reflector,
    @InjectRuntime() rt: Runtime,
  ) {
    this.authenticate = authenticator(rt);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(OPEN, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<Caller & { headers: { authorization?: string } }>();
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (!key) {
      throw new SpillwayError('unauthorized', 'Send your API key as "Authorization: Bearer <key>".');
    }
    request.projectId = (await this.authenticate(key)).projectId;
    return true;
  }
}
