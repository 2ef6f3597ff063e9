import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { none } from '@spillway/contracts';
import type { FastifyRequest } from 'fastify';
import { routeOf, type CalledRequest } from '../auth/caller.js';
import { checkedQuery } from '../http/valid.js';

/**
 * Refuses parameters of reads whose contract has none: a filter that does nothing would be taken for one that works.
 * Throws `invalid_request`. All other contracts are checked where their parameters are read; probes may have any.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CalledRequest & Pick<FastifyRequest, 'query'>>();
    const { query = none, scope } = routeOf(request) ?? { scope: 'open' };
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && query === none && scope !== 'open') checkedQuery(none, request.query);
    return true;
  }
}
