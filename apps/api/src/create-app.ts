import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Runtime } from '@spillway/service';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { v7 as uuidV7 } from 'uuid';
import { AppModule } from './app.module.js';
import { installBackpressure } from './http/backpressure.js';
import { parseJsonBody } from './http/json-body.js';
import { openApiDocument } from './http/openapi.js';
import { asSpillwayError, problemOf } from './http/problem.filter.js';

/** The largest request body, in bytes. Larger outputs are uploaded as streams. */
const bodyLimit = 8 * 1024 * 1024;
const requestId = /^[A-Za-z0-9._-]{1,128}$/;

/** A client that is still sending sees our answer only if we read on; past this much we hang up. */
const mostDiscarded = 8 * bodyLimit;

function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  let left = mostDiscarded;
  request.raw.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.raw.destroy();
  });
  request.raw.resume();
}

/** The API over HTTP, not listening yet. */
export async function createApp(rt: Runtime): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 1_000 },
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && requestId.test(given) ? given : uuidV7();
    },
    // What Fastify refuses before there is a route: a URL that can't be decoded, for one.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const problem = problemOf(
        asSpillwayError({ ...error, statusCode: 400, message: error.message }),
        request.id,
      );
      void reply
        .status(problem.status)
        .header('x-request-id', request.id)
        .type('application/problem+json')
        .send(problem);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(rt), adapter, {
    logger: ['error', 'warn'],
    bodyParser: false,
    abortOnError: false,
  });
  app.useBodyParser('application/json', { bodyLimit }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  const fastify = adapter.getInstance();
  fastify.removeContentTypeParser('text/plain');
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  installBackpressure(fastify);
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 413) discardBody(request, reply);
    done();
  });
  const document = openApiDocument() as unknown as OpenAPIObject;
  SwaggerModule.setup('docs', app, document, { raw: false, customSiteTitle: 'Spillway API' });
  fastify.get('/openapi.json', (_request, reply) => reply.send(document));
  return app;
}
