import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { LlmSettings } from '@spillway/llm';
import { summaryProviders, type PolicyInput } from '@spillway/engine';
import { fasterTiming, productionTiming, type Timing } from './timing.js';

/** S3 credentials come from the usual AWS_* variables, a profile or a role. */
export type OutputsLocation =
  { kind: 'disk'; folder: string } | { kind: 's3'; bucket: string; prefix: string; endpoint?: string };

/** The environment of this process, read once. How threads are treated is policy and is stored in rows. */
export interface Env {
  databaseUrl: string;
  /** Null: no Redis; workers poll Postgres. */
  redisUrl: string | null;
  host: string;
  apiPort: number;
  workerPort: number;
  /** Where outputs and media are stored. */
  outputs: OutputsLocation;
  bootstrapKey: string | null;
  /** Opens the board of the queues, which shows the jobs of every project. Null: there is no board. */
  operatorPassword: string | null;
  /** Keys that encrypt stored secrets: the first seals, all open. Empty: no secrets can be stored. */
  secretKeys: string[];
  llm: LlmSettings | null;
  /** Models that /chat may call besides the server's own; empty: see chat-model.ts. */
  chatModels: ReadonlySet<string>;
  /** The server's level of the policy: spillway.yaml and SPILLWAY_LLM_PROVIDER. */
  policy: PolicyInput;
  /** How long a client may take to send its headers, and its whole request. */
  headersMs: number;
  requestMs: number;
  uploads: UploadLimits;
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted. Empty: none. */
  trustedProxies: string[];
  /** Requests per second of one key in this process. */
  rates: Rates;
  leaseMs: number;
  pollMs: number;
  graceMs: number;
  orphanMs: number;
  timing: Timing;
  /** Hosts that webhooks may use although they are not public. */
  webhookHosts: ReadonlySet<string>;
  /** Hosts that upstreams of projects may use although they are not public. */
  upstreamHosts: ReadonlySet<string>;
  maxConnections: number;
  logLevel: string;
}

/** Limits of an output upload. */
export interface UploadLimits {
  maxBytes: number;
  /** The idle timeout, and the timeout of the whole upload. */
  idleMs: number;
  totalMs: number;
}

/** Lines and tokens of an output are 32-bit integers, and never more than its bytes. */
const maxUploadBytes = 2_147_483_647;

/** Requests per second of one key; 0: no limit. `expensive` ones are searches, exports and dry runs. */
export interface Rates {
  requests: number;
  expensive: number;
}

const blank = (value: unknown) => (value === '' ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema.optional());
const port = (fallback: number) =>
  z.preprocess(blank, z.coerce.number().int().min(0).max(65_535).default(fallback));
const timeout = (fallback: number) =>
  z.preprocess(blank, z.coerce.number().int().min(100).max(600_000).default(fallback));
const rate = (fallback: number) =>
  z.preprocess(blank, z.coerce.number().int().min(0).max(1_000_000).default(fallback));
const ms = (fallback: number) => z.preprocess(blank, z.coerce.number().int().min(1).default(fallback));

const wordsOf = (list: string): string[] => list.split(/[\s,]+/).filter(Boolean);

function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const family = isIP(address);
  return (
    family > 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)))
  );
}

const minSecretLength = 32;
const minDistinct = 8;

/** A secret that cannot be guessed: long, and not a few repeated characters. */
export const strongSecret = z.string().superRefine((secret, context) => {
  const weakness = weaknessOf(secret);
  if (weakness) context.addIssue({ code: 'custom', message: weakness });
});

function weaknessOf(secret: string): string | null {
  if (secret.length < minSecretLength) {
    return `must have at least ${minSecretLength} characters and has ${secret.length}`;
  }
  const distinct = new Set(secret).size;
  return distinct < minDistinct
    ? `must be random: it has ${distinct} different characters, and needs at least ${minDistinct}`
    : null;
}

/** Several comma-separated keys, from the environment or from a file. */
function secretKeysOf(text: string | undefined, file: string | undefined): string[] {
  let given = text ?? '';
  if (text === undefined && file !== undefined) {
    try {
      given = readFileSync(file, 'utf8');
    } catch (error) {
      throw new EnvError(`SPILLWAY_SECRET_KEY_FILE ${file} can't be read: ${(error as Error).message}`);
    }
  }
  const keys = wordsOf(given);
  for (const key of keys) {
    const weakness = weaknessOf(key);
    if (weakness) throw new EnvError(`SPILLWAY_SECRET_KEY ${weakness}.`);
  }
  return keys;
}

const variables = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }),
  REDIS_URL: optional(z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' })),
  SPILLWAY_HOST: z.preprocess(blank, z.string().default('127.0.0.1')),
  API_PORT: port(4000),
  WORKER_PORT: port(4002),
  SPILLWAY_OUTPUTS: optional(z.url({ protocol: /^(file|s3)$/, error: 'must be a file:// or s3:// URL' })),
  SPILLWAY_S3_ENDPOINT: optional(z.url()),
  SPILLWAY_DATA_DIR: z.preprocess(blank, z.string().default('.spillway')),
  SPILLWAY_CONFIG: optional(z.string()),
  SPILLWAY_BOOTSTRAP_KEY: optional(strongSecret),
  SPILLWAY_OPERATOR_PASSWORD: optional(strongSecret),
  SPILLWAY_SECRET_KEY: optional(z.string()),
  SPILLWAY_SECRET_KEY_FILE: optional(z.string()),
  SPILLWAY_LLM_PROVIDER: z.preprocess(blank, z.enum(summaryProviders).default('extractive')),
  SPILLWAY_LLM_BASE_URL: optional(z.url()),
  SPILLWAY_LLM_API_KEY: optional(z.string()),
  SPILLWAY_LLM_MODEL: optional(z.string()),
  SPILLWAY_CHAT_MODELS: z.preprocess(blank, z.string().default('')),
  SPILLWAY_HEADERS_TIMEOUT_MS: timeout(10_000),
  SPILLWAY_REQUEST_TIMEOUT_MS: timeout(30_000),
  SPILLWAY_OUTPUT_MAX_BYTES: z.preprocess(
    blank,
    z.coerce.number().int().min(1).max(maxUploadBytes).default(1_073_741_824),
  ),
  SPILLWAY_UPLOAD_TIMEOUT_MS: z.preprocess(
    blank,
    z.coerce.number().int().min(100).max(86_400_000).default(3_600_000),
  ),
  SPILLWAY_TRUSTED_PROXIES: z
    .preprocess(blank, z.string().default(''))
    .refine(
      (text) => wordsOf(text).every(isNetwork),
      'must be IP addresses or networks, as 10.0.0.0/8, with commas between',
    ),
  SPILLWAY_RATE_LIMIT: rate(2_000),
  SPILLWAY_EXPENSIVE_RATE_LIMIT: rate(100),
  SPILLWAY_LEASE_MS: ms(90_000),
  SPILLWAY_POLL_MS: ms(5_000),
  SPILLWAY_GRACE_MS: ms(600_000),
  SPILLWAY_ORPHAN_MS: ms(86_400_000),
  SPILLWAY_TIME_DIVISOR: z.preprocess(blank, z.coerce.number().min(1).max(1_000).default(1)),
  SPILLWAY_WEBHOOK_HOSTS: z.preprocess(blank, z.string().default('')),
  SPILLWAY_UPSTREAM_HOSTS: z.preprocess(blank, z.string().default('')),
  SPILLWAY_POOL: z.preprocess(blank, z.coerce.number().int().min(1).max(500).default(20)),
  LOG_LEVEL: z.preprocess(
    blank,
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ),
});

/** Invalid settings, one line each, with the variable's name. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/** Reads the environment. `policySchema` validates the policy of the YAML file as the API would. */
export function readEnv(source: NodeJS.ProcessEnv, policySchema: z.ZodType<PolicyInput>): Env {
  const parsed = variables.safeParse(source);
  if (!parsed.success) {
    throw new EnvError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'),
    );
  }
  const v = parsed.data;
  const provider = v.SPILLWAY_LLM_PROVIDER;
  const yaml = v.SPILLWAY_CONFIG ? readPolicyFile(v.SPILLWAY_CONFIG, policySchema) : {};
  return {
    databaseUrl: v.DATABASE_URL,
    redisUrl: v.REDIS_URL ?? null,
    host: v.SPILLWAY_HOST,
    apiPort: v.API_PORT,
    workerPort: v.WORKER_PORT,
    outputs: outputsLocation(v.SPILLWAY_OUTPUTS, v.SPILLWAY_DATA_DIR, v.SPILLWAY_S3_ENDPOINT),
    bootstrapKey: v.SPILLWAY_BOOTSTRAP_KEY ?? null,
    operatorPassword: v.SPILLWAY_OPERATOR_PASSWORD ?? null,
    secretKeys: secretKeysOf(v.SPILLWAY_SECRET_KEY, v.SPILLWAY_SECRET_KEY_FILE),
    llm:
      provider === 'extractive'
        ? null
        : {
            provider,
            baseUrl: v.SPILLWAY_LLM_BASE_URL ?? null,
            apiKey: v.SPILLWAY_LLM_API_KEY ?? null,
            model: v.SPILLWAY_LLM_MODEL ?? null,
          },
    chatModels: new Set(v.SPILLWAY_CHAT_MODELS.split(/[\s,]+/).filter(Boolean)),
    policy: { ...yaml, summary: { provider, ...yaml.summary } },
    headersMs: Math.min(v.SPILLWAY_HEADERS_TIMEOUT_MS, v.SPILLWAY_REQUEST_TIMEOUT_MS),
    requestMs: v.SPILLWAY_REQUEST_TIMEOUT_MS,
    uploads: {
      maxBytes: v.SPILLWAY_OUTPUT_MAX_BYTES,
      idleMs: v.SPILLWAY_REQUEST_TIMEOUT_MS,
      totalMs: v.SPILLWAY_UPLOAD_TIMEOUT_MS,
    },
    trustedProxies: wordsOf(v.SPILLWAY_TRUSTED_PROXIES),
    rates: { requests: v.SPILLWAY_RATE_LIMIT, expensive: v.SPILLWAY_EXPENSIVE_RATE_LIMIT },
    leaseMs: v.SPILLWAY_LEASE_MS,
    pollMs: v.SPILLWAY_POLL_MS,
    graceMs: v.SPILLWAY_GRACE_MS,
    orphanMs: v.SPILLWAY_ORPHAN_MS,
    timing: fasterTiming(productionTiming, v.SPILLWAY_TIME_DIVISOR),
    webhookHosts: new Set(wordsOf(v.SPILLWAY_WEBHOOK_HOSTS.toLowerCase())),
    upstreamHosts: new Set(wordsOf(v.SPILLWAY_UPSTREAM_HOSTS.toLowerCase())),
    maxConnections: v.SPILLWAY_POOL,
    logLevel: v.LOG_LEVEL,
  };
}

/** `file:///…` or `s3://bucket/prefix`; the default is a folder of the data directory. */
function outputsLocation(
  url: string | undefined,
  dataFolder: string,
  endpoint: string | undefined,
): OutputsLocation {
  if (url === undefined) return { kind: 'disk', folder: resolve(dataFolder, 'outputs') };
  if (url.startsWith('file:')) return { kind: 'disk', folder: fileURLToPath(url) };
  const { hostname: bucket, pathname } = new URL(url);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

function readPolicyFile(path: string, schema: z.ZodType<PolicyInput>): PolicyInput {
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new EnvError(`SPILLWAY_CONFIG ${path} can't be read: ${(error as Error).message}`);
  }
  const file = z.strictObject({ policy: schema.optional() }).safeParse(content ?? {});
  if (!file.success) {
    const why = file.error.issues.map((issue) => `/${issue.path.join('/')} ${issue.message}`).join('; ');
    throw new EnvError(`SPILLWAY_CONFIG ${path}: ${why}`);
  }
  return file.data.policy ?? {};
}
