import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { actorOf, asProject, readAuditor, type AuditRead, type Runtime } from '@spillway/service';
import { from, Observable, switchMap } from 'rxjs';
import { InjectRuntime } from '../runtime.js';
import { routeOf, type CalledRequest } from './caller.js';

/**
 * Runs a request in the scope of its caller's project, so that row-level security limits every statement to that
 * project. Writes an audit entry for what a person is about to see. Without a caller there is no project and no rows.
 */
@Injectable()
export class ScopeInterceptor implements NestInterceptor {
  private readonly audited: AuditRead;

  constructor(@InjectRuntime() rt: Runtime) {
    this.audited = readAuditor(rt);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<CalledRequest>();
    const { caller } = request;
    if (!caller) return next.handle();
    const target = request.url.split('?')[0]!;
    return new Observable((subscriber) =>
      asProject(caller.projectId, actorOf(caller), () => {
        const shown = routeOf(request)?.content === true;
        const written = shown ? this.audited(caller, target) : Promise.resolve();
        return from(written)
          .pipe(switchMap(() => next.handle()))
          .subscribe(subscriber);
      }),
    );
  }
}
