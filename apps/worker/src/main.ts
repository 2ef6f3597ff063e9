import '@spillway/node-version/require';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { policyInput } from '@spillway/contracts';
import { catalogue, openConsumer } from '@spillway/jobs';
import {
  endProcess,
  EnvError,
  fairCompactor,
  frameworkLog,
  openRuntime,
  portRefusal,
  quietly,
  readEnv,
  sealStoredSecrets,
  startTracing,
  stopOnSignal,
  unparkAfterStart,
  warmUp,
  watchStorage,
  webhookSender,
} from '@spillway/service';
import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { handlersOf } from './handlers.js';
import { startDeliveries } from './deliveries.js';
import { startReconciler } from './reconciler.js';
import { createWatchdog } from './watchdog.js';
import { showCompactor, timedHandlers } from './worker-metrics.js';
import { WorkerModule } from './worker.module.js';

async function main(): Promise<void> {
  const env = readEnv(process.env, policyInput);
  const rt = openRuntime(env, 'worker');
  const stopTracing = await startTracing('spillway-worker', process.env, rt.log);
  await sealStoredSecrets(rt);
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.with(rt, env.operatorPassword),
    new FastifyAdapter({ genReqId: () => randomUUID() }),
    {
      logger: frameworkLog(rt.log),
      abortOnError: false,
    },
  );
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, done) => {
      void reply.header('x-request-id', request.id);
      done();
    });
  const compactor = fairCompactor(rt);
  showCompactor(rt, compactor);
  const watchdog = createWatchdog(rt, compactor, {
    reopen: () => {
      void consumer?.close();
      consumer = open();
    },
    end: () => endProcess(rt, 1),
    slots: catalogue['compact-thread'].concurrency,
    clock: () => performance.now(),
  });
  const handlers = handlersOf(rt, compactor, watchdog);
  const open = () =>
    env.redisUrl === null
      ? null
      : openConsumer({
          name: rt.owner,
          redisUrl: env.redisUrl,
          handlers: timedHandlers(rt, handlers),
          onOutcome: (job, outcome, ms) => rt.log.debug({ job, outcome, ms: Math.round(ms) }, 'job ended'),
          onError: quietly(rt),
        });
  let consumer = open();
  await unparkAfterStart(rt);
  const stopReconciler = startReconciler(rt, { compactor, watchdog, handlers, everyMs: env.pollMs });
  const stopDeliveries = startDeliveries(rt, webhookSender(rt), env.pollMs);
  const stopWatching = watchStorage(rt);
  await app.listen(env.workerPort, env.host).catch(portRefusal('WORKER_PORT', env.workerPort));
  rt.log.info({ port: env.workerPort, redis: env.redisUrl !== null }, 'worker ready');

  const stop = stopOnSignal(rt, [
    { waitsFor: 'the check of storage', stop: stopWatching },
    { waitsFor: 'folds and repeated jobs', stop: stopReconciler },
    { waitsFor: 'jobs of the queue', stop: () => consumer?.close() },
    { waitsFor: 'deliveries to webhooks', stop: stopDeliveries },
    { waitsFor: 'probes and scrapes', stop: () => app.close() },
    { waitsFor: 'connections to Postgres and Redis', stop: () => rt.close() },
    { waitsFor: 'traces', stop: stopTracing },
  ]);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await warmUp(rt);
  // With NODE_COMPILE_CACHE: a process that is killed would write nothing, and the next start compile it all again.
  flushCompileCache();
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error);
  process.exit(1);
});
