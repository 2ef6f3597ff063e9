import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { SpillwayError } from '@spillway/service';
import { noRoute } from '../http/problem.filter.js';
import { routeOf, type CalledRequest } from './caller.js';

/**
 * The second check behind admission, which authenticates before the body is read: only the public routes of the
 * contract run without a caller or the operator.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CalledRequest>();
    const route = routeOf(request);
    if (!route) throw new SpillwayError('not_found', noRoute);
    if (route.scope === 'open') return true;
    if (route.scope === 'operator' ? request.isOperator === true : request.caller) return true;
    throw new SpillwayError('unauthorized', 'Send your API key as "Authorization: Bearer <key>".');
  }
}
