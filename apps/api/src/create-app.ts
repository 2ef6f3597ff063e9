import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import {
  frameworkLog,
  operatorCheck,
  problemOf,
  quietly,
  refusalLog,
  type Env,
  type Runtime,
} from '@spillway/service';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { boundAnswers } from './admission/answer-budget.js';
import { bodyWasRead, installAdmission } from './admission/admission.js';
import { bodyLimit, installBodyLimits } from './admission/body-limits.js';
import { AppModule } from './app.module.js';
import { installCallers, routeOf } from './auth/caller.js';
import { installScope } from './auth/scope.js';
import { answerClientError } from './http/client-error.js';
import { parseJsonBody } from './http/json/json-body.js';
import { installRequestSpans } from './http/request-spans.js';
import { installRequestTimeout } from './http/request-timeout.js';
import { openApiDocument } from './http/openapi.js';
import { asSpillwayError } from './http/problem.filter.js';
import { readOn } from './http/refused-body.js';
import { installRequestLog } from './http/request-log.js';
import { checkHead, lacksHost } from './http/request-head.js';
import { installStreamedBodies } from './http/streamed-body.js';
import { installHttpMetrics } from './metrics/http-metrics.js';
import { mountMetrics } from './metrics/metrics-page.js';
import { docsPolicy, securityHeaders } from './http/security-headers.js';
import { routedUrl } from './proxies/routed-url.js';

const requestId = /^[A-Za-z0-9._-]{1,128}$/;

/** No route has a Fastify schema, since zod validates. Its own compilers would cost a sixth of the start. */
const noSchemas = () => () => {
  throw new Error('A route has a Fastify schema: declare it in @spillway/contracts.');
};
const schemaController = { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } };

/** Builds the API over HTTP. It does not listen yet. */
export async function createApp(
  rt: Runtime,
  {
    headersMs,
    requestMs,
    uploads,
    trustedProxies,
    rates,
    operatorPassword,
    redisUrl,
  }: Pick<
    Env,
    'headersMs' | 'requestMs' | 'uploads' | 'trustedProxies' | 'rates' | 'operatorPassword' | 'redisUrl'
  >,
  scrape: () => Promise<string>,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit,
    // For any request. Uploads have their own limit, see installRequestTimeout.
    requestTimeout: Math.max(requestMs, uploads.totalMs),
    // Without trusted proxies, a client can write anything into X-Forwarded-For.
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    keepAliveTimeout: 65_000,
    http: {
      // Node would answer a request without Host itself, without a problem document: see checkHead.
      requireHostHeader: false,
      headersTimeout: headersMs,
      // How often Node checks for late requests.
      connectionsCheckingInterval: Math.min(1_000, Math.ceil(headersMs / 4)),
    },
    rewriteUrl: routedUrl,
    routerOptions: { maxParamLength: 1_000 },
    schemaController,
    clientErrorHandler: answerClientError,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestId.test(given) ? given : randomUUID();
    },
    // What Fastify refuses before routing, such as a URL that cannot be decoded.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const problem = problemOf(asSpillwayError({ statusCode: error.statusCode ?? 400 }), request.id);
      void reply
        .status(problem.status)
        .headers({ ...securityHeaders, 'x-request-id': request.id })
        .type('application/problem+json')
        .send(problem);
    },
  });
  const refusals = refusalLog(rt);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(rt, refusals), adapter, {
    logger: frameworkLog(rt.log),
    bodyParser: false,
    abortOnError: false,
  });
  app.useBodyParser('application/json', { bodyLimit }, (request, body, done) => {
    bodyWasRead(request, body.length);
    try {
      done(null, parseJsonBody(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  const fastify = adapter.getInstance();
  fastify.removeContentTypeParser('text/plain');
  installCallers(fastify);
  installHttpMetrics(fastify, rt);
  installRequestSpans(fastify);
  installRequestLog(fastify, rt);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(securityHeaders).header('x-request-id', request.id);
    if (request.url.startsWith('/docs')) void reply.header('content-security-policy', docsPolicy);
    checkHead(request);
    done();
  });
  installRequestTimeout(fastify, requestMs);
  installBodyLimits(fastify);
  installStreamedBodies(fastify);
  const isOperator = operatorPassword === null ? null : operatorCheck(operatorPassword);
  installAdmission(fastify, rt, { rates, isOperator });
  installScope(fastify, rt);
  boundAnswers(fastify, rt.timing.stalledDownloadMs);
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const isRefusedUpload =
      reply.statusCode >= 400 && !request.raw.complete && routeOf(request)?.streamed === true;
    if (reply.statusCode !== 413 && !isRefusedUpload && !lacksHost(request.raw)) return done();
    void reply.header('connection', 'close');
    readOn(request.raw).then(() => done(), done);
  });
  fastify.addHook('onClose', () => refusals.stop());
  if (operatorPassword !== null && redisUrl !== null) {
    // Loaded only where it is wanted: it takes memory.
    const { mountQueueBoard } = await import('./admin/queue-board.js');
    await mountQueueBoard(fastify, { redisUrl, password: operatorPassword, onError: quietly(rt) });
  }
  if (operatorPassword !== null) mountMetrics(fastify, rt, { password: operatorPassword, scrape });
  let made: OpenAPIObject | undefined;
  // Made when it is first asked for: most processes never serve it, and it takes a tenth of the start.
  const document = () => (made ??= openApiDocument() as unknown as OpenAPIObject);
  SwaggerModule.setup('docs', app, document, { raw: false, customSiteTitle: 'Spillway API' });
  fastify.get('/openapi.json', (_request, reply) => reply.send(document()));
  return app;
}
