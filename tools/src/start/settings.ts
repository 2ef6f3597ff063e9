import { isIP } from 'node:net';
import { loopback, StartError } from '@spillway/embedded';
import { z } from 'zod';

/** 0: any free port. */
export interface Ports {
  api: number;
  console: number;
  worker: number;
}

export interface Settings {
  dataDir: string;
  databaseUrl: string | null;
  redisUrl: string | null;
  /** Where API and worker listen. */
  host: string;
  ports: Ports;
  /** Null: one is made at the first start and kept in the data folder. */
  apiKey: string | null;
  outputsUrl: string | null;
}

const blank = (value: unknown): unknown => (value === '' ? undefined : value);
const portMessage = 'must be a port number (1 to 65535), or 0 for any free port';
const port = (fallback: number): z.ZodType<number> =>
  z.preprocess(
    blank,
    z.coerce
      .number(portMessage)
      .int(portMessage)
      .min(0, portMessage)
      .max(65_535, portMessage)
      .default(fallback),
  );

/** An IPv6 address with a zone has no form in a URL. */
const isHost = (host: string): boolean => (isIP(host) > 0 ? !host.includes('%') : /^[\w.-]+$/.test(host));

const variables = z.object({
  SPILLWAY_DATA_DIR: z.preprocess(blank, z.string().default('.spillway')),
  DATABASE_URL: z.preprocess(
    blank,
    z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must look like postgresql://user:password@host:5432/database',
      })
      .optional(),
  ),
  REDIS_URL: z.preprocess(
    blank,
    z.url({ protocol: /^rediss?$/, error: 'must look like redis://:password@host:6379' }).optional(),
  ),
  SPILLWAY_OUTPUTS: z.preprocess(
    blank,
    z.url({ error: 'must look like file:///var/spillway/outputs' }).optional(),
  ),
  SPILLWAY_HOST: z.preprocess(
    blank,
    z.string().refine(isHost, 'must be an IP address or a host name').default(loopback),
  ),
  API_PORT: port(4000),
  CONSOLE_PORT: port(4001),
  WORKER_PORT: port(4002),
  SPILLWAY_BOOTSTRAP_KEY: z.preprocess(
    blank,
    z
      .string()
      .refine((key) => key.length >= 32, {
        error: ({ input }) => `must have at least 32 characters and has ${String(input).length}`,
      })
      .optional(),
  ),
});

/** What `npm start` takes from the environment. Throws a StartError that names the first setting that can't work. */
export function readSettings(source: NodeJS.ProcessEnv): Settings {
  const parsed = variables.safeParse(source);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new StartError(`${issue?.path.join('.')} ${issue?.message}: correct it or unset it.`);
  }
  const v = parsed.data;
  const ports = { api: v.API_PORT, console: v.CONSOLE_PORT, worker: v.WORKER_PORT };
  const fixed = Object.values(ports).filter((port) => port > 0);
  if (new Set(fixed).size < fixed.length) {
    throw new StartError(
      'API_PORT, CONSOLE_PORT and WORKER_PORT must be three different ports: change one of them.',
    );
  }
  return {
    dataDir: v.SPILLWAY_DATA_DIR,
    databaseUrl: v.DATABASE_URL ?? null,
    redisUrl: v.REDIS_URL ?? null,
    host: v.SPILLWAY_HOST,
    ports,
    apiKey: v.SPILLWAY_BOOTSTRAP_KEY ?? null,
    outputsUrl: v.SPILLWAY_OUTPUTS ?? null,
  };
}
