import type { Scope } from '@spillway/contracts';
import { operatorChallenge, RefusedKey, SpillwayError } from '@spillway/service';

/** A key that is live and lacks a scope. */
export class MissingScope extends SpillwayError {
  constructor(
    missing: string,
    /** All that the route takes. */
    readonly needed: readonly Scope[],
  ) {
    super('forbidden', `This request needs a key with the scope ${missing}.`);
  }
}

/** A request of the operator's without the operator's password. */
export class NotOperator extends SpillwayError {
  constructor(message: string) {
    super('unauthorized', message);
  }
}

const challenge = 'Bearer realm="spillway"';

/**
 * What `WWW-Authenticate` says (RFC 6750; RFC 7617 where the operator's password is needed). It names no authorization
 * server, because there is none: keys and thread tokens are issued by the API itself. A request without a key gets no
 * error code, as the RFC asks.
 */
export function challengeOf(error: SpillwayError): string | null {
  if (error instanceof NotOperator) return operatorChallenge;
  if (error instanceof RefusedKey)
    return `${challenge}, error="invalid_token", error_description="${error.message}"`;
  if (error instanceof MissingScope)
    return `${challenge}, error="insufficient_scope", scope="${error.needed.join(' ')}"`;
  return error.code === 'unauthorized' ? challenge : null;
}
