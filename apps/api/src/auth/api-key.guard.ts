import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { authenticator, SpillwayError, type Authenticate, type Runtime } from '@spillway/service';
import { InjectRuntime } from '../runtime.js';
import { routeOf, type CalledRequest } from './caller.js';

const bearer = /^Bearer ([\x21-\x7e]{1,200})$/i;

/**
 * Lets a request in by its API key or session token, when that may do what the contract asks of this route. A route
 * that the contract does not know lets nobody in.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly authenticate: Authenticate;

  constructor(@InjectRuntime() rt: Runtime) {
    this.authenticate = authenticator(rt);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CalledRequest>();
    const route = routeOf(request);
    if (!route) throw new SpillwayError('not_found', 'There is nothing at this address.');
    if (route.scope === 'open') return true;
    const credential = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (!credential) {
      throw new SpillwayError('unauthorized', 'Send your API key as "Authorization: Bearer <key>".');
    }
    const caller = await this.authenticate(credential, request.ip);
    if (route.scope !== 'any' && !caller.scopes.includes(route.scope) && !caller.scopes.includes('admin')) {
      throw new SpillwayError('forbidden', `This takes a key with the scope ${route.scope}.`);
    }
    request.caller = caller;
    return true;
  }
}
