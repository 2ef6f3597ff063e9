import {
  authenticator,
  SpillwayError,
  type Authenticate,
  type OperatorCheck,
  type CallerRow,
  type Rates,
  type Runtime,
} from '@spillway/service';
import type { Route } from '@spillway/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MissingScope, NotOperator } from '../auth/challenge.js';
import { routeOf, type CalledRequest } from '../auth/caller.js';
import { credentialOf } from '../auth/credentials.js';
import { requireOwnThread } from '../auth/own-thread.js';
import { BodyBudget, type Reservation } from './body-budget.js';
import { bodyLimitOf } from './body-limits.js';
import { noRoute } from '../http/problem.filter.js';
import { whenClosed } from '../http/when-closed.js';
import { loopDelay } from './loop-delay.js';
import { RateLimits } from './rate-limits.js';

/** Pages without a key that the contract does not list: the API reference. */
const referencePages = /^\/(docs(\/|$)|openapi\.json$)/;

/**
 * Event loop delay in ms above which the process is overloaded. Expensive requests are refused first; appends and
 * context reads are not.
 */
const lateMs = 1_000;
const canWait = new Set(['grepOutput', 'outlineOutput', 'searchProject', 'searchThread']);

const reservations = new WeakMap<object, Reservation>();

const expensiveParts = new WeakMap<object, () => Promise<void>>();

/**
 * Counts an expensive part of an admitted request whose route has no cost: only its body says whether it is expensive.
 * Throws `too_many_requests`.
 */
export const countExpensive = async (request: object): Promise<void> => expensiveParts.get(request)?.();

/** Corrects the reservation to the real length of the body. */
export const bodyWasRead = (request: object, bytes: number): void => reservations.get(request)?.settle(bytes);

interface AdmissionOptions {
  rates: Rates;
  /** Null: this service has no operator password. */
  isOperator: OperatorCheck | null;
}

/**
 * Decides from the request head whether to read the body: authentication, authorization, rate limit, free memory.
 * Without a valid key nothing is buffered or reserved. A client that retries with the same message ids loses nothing.
 */
export function installAdmission(
  fastify: FastifyInstance,
  rt: Runtime,
  { rates, isOperator }: AdmissionOptions,
): void {
  const authenticate = authenticator(rt);
  const limits = new RateLimits(rates);
  const budget = new BodyBudget();
  const delay = loopDelay();

  fastify.addHook('onRequest', async (request: CalledRequest, reply: FastifyReply) => {
    const route = routeOf(request);
    if (!route) {
      // The pages of operators check their password themselves.
      if (isReference(request) || isOfOperators(request)) return;
      if (isMcp(request))
        throw new SpillwayError(
          'method_not_allowed',
          'MCP is served by POST: there is no stream to open and no session to end.',
        );
      const isClosed = isOperator === null && operatorsPath.test(request.url);
      throw new SpillwayError('not_found', isClosed ? closedPage : noRoute);
    }
    if (route.scope === 'open') return;
    if (route.scope === 'operator') {
      requireOperator(request, isOperator);
      request.isOperator = true;
      return;
    }
    const caller = await callerOf(request, route, authenticate);
    // Set before the scope check, so that a refusal is logged with its key.
    request.caller = caller;
    requireScope(caller, route);
    await limits.count(caller, route.cost !== undefined);
    expensiveParts.set(request, () => limits.countExpensive(caller));
    await requireOwnThread(rt, caller, route, request);
    if (delay.latestMs() > lateMs && canWait.has(route.id)) {
      throw new SpillwayError('overloaded', 'The server is overloaded. Retry shortly.');
    }
    if (route.cost === 'heavy') whenClosed(request, reply, limits.beginHeavy(caller));
    const bytes = announcedBytes(request, route);
    if (bytes === 0) return;
    const reservation = budget.reserve(caller, bytes);
    reservations.set(request, reservation);
    whenClosed(request, reply, () => reservation.release());
  });
  fastify.addHook('onClose', (_instance, done) => {
    delay.stop();
    done();
  });
}

const closedPage = 'This page is served once SPILLWAY_OPERATOR_PASSWORD is set.';
const operatorOnly =
  'Only the operator may do this: send SPILLWAY_OPERATOR_PASSWORD by HTTP Basic, with any user name.';

/** Throws `unauthorized`. The password is long and random, so guesses are not counted. */
function requireOperator({ headers }: FastifyRequest, isOperator: OperatorCheck | null): void {
  if (isOperator === null)
    throw new NotOperator(
      'Only the operator may do this, and this service has no operator password: set SPILLWAY_OPERATOR_PASSWORD.',
    );
  if (!isOperator(headers.authorization)) throw new NotOperator(operatorOnly);
}

async function callerOf(
  request: FastifyRequest,
  route: Route,
  authenticate: Authenticate,
): Promise<CallerRow> {
  const credential = credentialOf(request.headers, route);
  if (!credential) {
    throw new SpillwayError('unauthorized', 'Send your API key as "Authorization: Bearer <key>".');
  }
  return authenticate(credential, request.ip);
}

function requireScope({ scopes }: CallerRow, { scope, alsoScope }: Route): void {
  // No key is the operator's, an admin key neither.
  if (scope === 'operator') throw new NotOperator(operatorOnly);
  if (scope === 'any' || scope === 'open' || scopes.includes('admin')) return;
  const needed = alsoScope === undefined ? [scope] : [scope, alsoScope];
  const missing = needed.find((one) => !scopes.includes(one));
  if (missing) throw new MissingScope(missing, needed);
}

/**
 * Bytes that a body may grow to. Without a Content-Length it counts as the maximum. A longer announced body is refused
 * unread and reserves nothing. The body of a GET is never buffered. Of a streamed body only its ends are kept, so it
 * reserves at most the largest body.
 */
function announcedBytes({ method, headers }: FastifyRequest, route: Route): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  const limit = bodyLimitOf(route);
  if (headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(headers['content-length'] ?? 0);
  if (route.streamed) return Math.min(length, limit);
  return length <= limit ? length : 0;
}

const operatorsPath = /^\/(queues(\/|\?|$)|metrics(\?|$))/;

const isOfOperators = (request: FastifyRequest): boolean =>
  !request.is404 && operatorsPath.test(request.routeOptions.url ?? '');

/** Clients of older versions ask for a stream with GET, and MCP wants to be told so by this status. */
const isMcp = (request: FastifyRequest): boolean => /^\/mcp(\?|$)/.test(request.url);

const isReference = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !request.is404 &&
  referencePages.test(request.routeOptions.url ?? '');
