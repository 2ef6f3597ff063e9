import '@spillway/node-version/require';
import 'reflect-metadata';
import { policyInput } from '@spillway/contracts';
import {
  bootstrap,
  EnvError,
  openRuntime,
  readEnv,
  sealStoredSecrets,
  startTracing,
  startUsageWriter,
} from '@spillway/service';
import { flushCompileCache } from 'node:module';
import { createApp } from './create-app.js';

async function main(): Promise<void> {
  const env = readEnv(process.env, policyInput);
  const rt = openRuntime(env, 'api');
  const stopTracing = await startTracing('spillway-api', process.env, rt.log);
  await sealStoredSecrets(rt);
  if (env.bootstrapKey) await bootstrap(rt, env.bootstrapKey);
  const app = await createApp(rt, env);
  const stopWriting = startUsageWriter(rt);
  await app.listen(env.apiPort, env.host);
  rt.log.info({ port: env.apiPort }, 'API ready');

  const stop = (signal: string) => {
    rt.log.info({ signal }, 'stopping');
    rt.drain();
    setTimeout(() => process.exit(1), 25_000).unref();
    void app
      .close()
      .then(stopWriting)
      .then(() => rt.close())
      .then(stopTracing)
      .then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // With NODE_COMPILE_CACHE: a process that is killed would write nothing, and the next start compile it all again.
  flushCompileCache();
}

main().catch((error: unknown) => {
  console.error(error instanceof EnvError ? error.message : error);
  process.exit(1);
});
