import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  loopback,
  nodeArguments,
  nodeEnvironment,
  onFreePorts,
  requireFreePort,
  StartError,
  supervise,
  type Teardown,
} from '@spillway/embedded';
import { repository } from '../repository.js';
import { reachedHost } from './reached-host.js';
import type { Ports } from './settings.js';

interface App {
  name: keyof Ports;
  /** The built program. */
  program: string;
  probe: string;
  env: NodeJS.ProcessEnv;
}

export interface AppsOptions {
  /** Where API and worker listen. */
  host: string;
  ports: Ports;
  databaseUrl: string;
  redisUrl: string | null;
  apiKey: string;
  sessionSecret: string;
  /** Variables with the keys for stored secrets; empty when the environment has them. */
  secretKeys: { SPILLWAY_SECRET_KEY?: string };
  outputsUrl: string;
  logs: string;
  watch: boolean;
  say: (line: string) => void;
  signal: AbortSignal;
}

const programs = {
  api: 'apps/api/dist/bundle/main.js',
  worker: 'apps/worker/dist/bundle/main.js',
  console: 'apps/console/.next/standalone/apps/console/server.js',
};
/** What tsc writes, which is what changes while `npm run dev` watches. */
const watched = { ...programs, api: 'apps/api/dist/main.js', worker: 'apps/worker/dist/main.js' };
const settings = { api: 'API_PORT', worker: 'WORKER_PORT', console: 'CONSOLE_PORT' };
const names = ['api', 'worker', 'console'] as const;

/** Fails before anything is started when an app is not built or its port is taken. */
export async function checkApps(ports: Ports): Promise<void> {
  for (const [name, program] of Object.entries(programs)) {
    await access(join(repository, program)).catch(() => {
      throw new StartError(`The ${name} is not built (no ${program}): run npm run build.`);
    });
  }
  for (const name of names) {
    if (ports[name] === 0) continue;
    const remedy = `stop what uses it, or set ${settings[name]} to another port`;
    await requireFreePort(ports[name], name, remedy);
  }
}

/** Starts api, worker and console in parallel and waits until all are ready. Returns the ports they listen on. */
export async function startApps(options: AppsOptions, teardown: Teardown): Promise<Ports> {
  options.say('Starting api, worker and console');
  const open = names.filter((name) => options.ports[name] === 0);
  if (open.length === 0) return startOn(options, teardown);
  return onFreePorts(open.length, (free) => {
    const chosen = Object.fromEntries(open.map((name, i) => [name, free[i]]));
    return startOn({ ...options, ports: { ...options.ports, ...chosen } }, teardown);
  });
}

async function startOn(options: AppsOptions, teardown: Teardown): Promise<Ports> {
  const starting = apps(options).map(({ name, program, probe, env }) =>
    supervise({
      name,
      command: process.execPath,
      args: [...nodeArguments, ...(options.watch && name !== 'console' ? ['--watch'] : []), program],
      env: { ...nodeEnvironment, ...process.env, NODE_ENV: 'production', ...env },
      cwd: name === 'console' ? dirname(program) : repository,
      logFile: join(options.logs, `${name}.log`),
      probe,
      say: options.say,
      signal: options.signal,
    }),
  );
  // Waits for all before it reports a failure: those that did start must be ended, too.
  const results = await Promise.allSettled(starting);
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => void (await Promise.all(running.map((app) => app.stop())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  teardown.add('the apps', stop);
  return options.ports;
}

function apps(options: AppsOptions): App[] {
  const { host, ports } = options;
  const hosts = { api: reachedHost(host), worker: reachedHost(host), console: loopback };
  const address = (name: keyof Ports): string => `http://${hosts[name]}:${ports[name]}`;
  const shared = {
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl ?? '',
    SPILLWAY_OUTPUTS: options.outputsUrl,
    ...options.secretKeys,
    SPILLWAY_HOST: host,
    API_PORT: `${ports.api}`,
    WORKER_PORT: `${ports.worker}`,
  };
  const app = (name: keyof Ports, path: string, env: NodeJS.ProcessEnv): App => ({
    name,
    program: join(repository, (options.watch ? watched : programs)[name]),
    probe: address(name) + path,
    env,
  });
  return [
    app('api', '/readyz', { ...shared, SPILLWAY_BOOTSTRAP_KEY: options.apiKey }),
    app('worker', '/readyz', { ...shared, SPILLWAY_BOOTSTRAP_KEY: undefined }),
    app('console', '/login', {
      PORT: `${ports.console}`,
      HOSTNAME: loopback,
      API_URL: address('api'),
      CONSOLE_SESSION_SECRET: options.sessionSecret,
      // The console depends on the API only.
      ...{
        DATABASE_URL: undefined,
        REDIS_URL: undefined,
        SPILLWAY_BOOTSTRAP_KEY: undefined,
        SPILLWAY_SECRET_KEY: undefined,
        SPILLWAY_LLM_API_KEY: undefined,
      },
    }),
  ];
}
