import 'reflect-metadata';
import { policyInput } from '@spillway/contracts';
import {
  bootstrapWhenAvailable,
  openRuntime,
  portRefusal,
  readEnv,
  scrapeMetrics,
  sealStoredSecrets,
  startTracing,
  startUsageWriter,
  stopOnSignal,
  watchStorage,
} from '@spillway/service';
import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { createApp } from './create-app.js';
import { oneOfSeveral } from './processes/one-of-several.js';

/** Serves the API in this process, which is the only one or one of several. */
export async function serve(): Promise<void> {
  const env = readEnv(process.env, policyInput);
  const rt = openRuntime(env, 'api');
  const stopTracing = await startTracing('spillway-api', process.env, rt.log);
  await sealStoredSecrets(rt);
  if (env.bootstrapKey) await bootstrapWhenAvailable(rt, env.bootstrapKey);
  const several = cluster.isWorker && env.operatorPassword !== null ? oneOfSeveral(rt) : null;
  rt.metrics.set('spillway_api_processes', {}, 1);
  const app = await createApp(rt, env, several?.scrape ?? (() => scrapeMetrics(rt)));
  const stopWriting = startUsageWriter(rt);
  const stopWatching = watchStorage(rt);
  await app.listen(env.apiPort, env.host).catch(portRefusal('API_PORT', env.apiPort));
  rt.log.info({ port: env.apiPort }, 'API ready');

  const stop = stopOnSignal(rt, [
    { waitsFor: 'the check of storage', stop: stopWatching },
    { waitsFor: 'requests in progress', stop: () => app.close() },
    { waitsFor: 'counts of usage', stop: stopWriting },
    { waitsFor: 'the report to the supervisor', stop: () => several?.stop() },
    { waitsFor: 'connections to Postgres and Redis', stop: () => rt.close() },
    { waitsFor: 'traces', stop: stopTracing },
  ]);
  process.once('SIGTERM', stop);
  // A terminal sends SIGINT to all processes; the supervisor then sends SIGTERM to this one.
  if (cluster.isWorker) process.on('SIGINT', () => undefined);
  else process.once('SIGINT', stop);
  // With NODE_COMPILE_CACHE: a process that is killed would write nothing, and the next start compile it all again.
  flushCompileCache();
}
