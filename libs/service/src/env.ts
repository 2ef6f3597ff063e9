import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { LlmSettings } from '@spillway/llm';
import { summaryProviders, type PolicyInput, type SummaryProvider } from '@spillway/engine';
import { EnvError } from './environment/env-error.js';
import { outputsLocation, type OutputsLocation } from './environment/outputs-location.js';
import { secretKeysOf } from './environment/secret-keys.js';
import {
  hosts,
  httpUrl,
  milliseconds,
  networks,
  oneOf,
  optional,
  orDefault,
  port,
  strongKey,
  strongSecret,
  text,
  url,
  whole,
  wordsOf,
} from './environment/value-schemas.js';
import { unknownVariables } from './environment/unknown-variables.js';
import { serverPolicyProblems } from './policies/policy-problems.js';
import { fasterTiming, productionTiming, type Timing } from './timing.js';
import { traceCollector } from './tracing/trace-collector.js';

export { EnvError, type OutputsLocation };

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
  /** Where OpenTelemetry sends traces; null: nowhere. */
  traceCollector: string | null;
  /** Models that /chat may call besides the server's own; empty: see chat-model.ts. */
  chatModels: ReadonlySet<string>;
  /** MiB of contexts that wait for models at a time. */
  modelCallsMib: number;
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
  /** How long a worker has a thread without renewing its lease. */
  leaseMs: number;
  /** How often a worker looks for due threads that no hint named. */
  pollMs: number;
  /** How long the bytes of an expired output stay, so that a running read finishes. */
  graceMs: number;
  /** Blobs without a row are removed when they are older than this. */
  orphanMs: number;
  timing: Timing;
  /** Hosts that webhooks may use although they are not public. */
  webhookHosts: ReadonlySet<string>;
  /** Hosts that upstreams of projects may use although they are not public. */
  upstreamHosts: ReadonlySet<string>;
  maxConnections: number;
  logLevel: string;
  /** Variables that begin as ours do and have no effect. */
  unknownVariables: string[];
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

const variables = z.object({
  DATABASE_URL: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    url(/^postgres(ql)?$/, 'must be a postgresql:// URL'),
  ),
  REDIS_URL: optional(url(/^rediss?$/, 'must be a redis:// URL')),
  SPILLWAY_HOST: text('127.0.0.1'),
  API_PORT: port(4000),
  WORKER_PORT: port(4002),
  SPILLWAY_OUTPUTS: optional(url(/^(file|s3)$/, 'must be a file:// or s3:// URL')),
  SPILLWAY_S3_ENDPOINT: optional(httpUrl),
  SPILLWAY_DATA_DIR: text('.spillway'),
  SPILLWAY_CONFIG: optional(z.string()),
  SPILLWAY_BOOTSTRAP_KEY: optional(strongKey),
  SPILLWAY_OPERATOR_PASSWORD: optional(strongSecret),
  SPILLWAY_SECRET_KEY: optional(z.string()),
  SPILLWAY_SECRET_KEY_FILE: optional(z.string()),
  SPILLWAY_LLM_PROVIDER: optional(oneOf(summaryProviders)),
  SPILLWAY_LLM_BASE_URL: optional(httpUrl),
  SPILLWAY_LLM_API_KEY: optional(z.string()),
  SPILLWAY_LLM_MODEL: optional(z.string()),
  SPILLWAY_CHAT_MODELS: text(''),
  SPILLWAY_MODEL_CALLS_MIB: whole(64, { min: 1, max: 1_000_000 }),
  SPILLWAY_HEADERS_TIMEOUT_MS: milliseconds(10_000, { min: 100, max: 600_000 }),
  SPILLWAY_REQUEST_TIMEOUT_MS: milliseconds(30_000, { min: 100, max: 600_000 }),
  SPILLWAY_OUTPUT_MAX_BYTES: whole(1_073_741_824, { min: 1, max: maxUploadBytes }),
  SPILLWAY_UPLOAD_TIMEOUT_MS: milliseconds(3_600_000, { min: 100, max: 86_400_000 }),
  SPILLWAY_TRUSTED_PROXIES: networks,
  SPILLWAY_RATE_LIMIT: whole(2_000, { min: 0, max: 1_000_000 }),
  SPILLWAY_EXPENSIVE_RATE_LIMIT: whole(100, { min: 0, max: 1_000_000 }),
  SPILLWAY_LEASE_MS: milliseconds(90_000, { min: 1_000, max: 3_600_000 }),
  SPILLWAY_POLL_MS: milliseconds(5_000, { min: 100, max: 3_600_000 }),
  SPILLWAY_GRACE_MS: milliseconds(600_000),
  SPILLWAY_ORPHAN_MS: milliseconds(86_400_000),
  SPILLWAY_TIME_DIVISOR: whole(1, { min: 1, max: 1_000 }),
  SPILLWAY_WEBHOOK_HOSTS: hosts,
  SPILLWAY_UPSTREAM_HOSTS: hosts,
  SPILLWAY_POOL: whole(20, { min: 1, max: 500 }),
  LOG_LEVEL: orDefault(oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
});

/**
 * Reads the environment. `policySchema` validates the policy of the YAML file as the API would; without a variable
 * that names one it is `spillway.yaml` in the folder, if that exists. Throws EnvError with all that is wrong.
 */
export function readEnv(
  source: NodeJS.ProcessEnv,
  policySchema: z.ZodType<PolicyInput>,
  folder = process.cwd(),
): Env {
  const parsed = variables.safeParse(source);
  const issues = parsed.error?.issues ?? [];
  const problems = issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  const part = <T>(read: () => T): T | undefined => partOf(read, problems);
  // Those that are wrong are reported already; the others are checked further, so that one start shows all that is wrong.
  const given = parsed.data ?? variables.partial().safeParse(without(source, issues)).data ?? {};
  const outputs = part(() =>
    outputsLocation(given.SPILLWAY_OUTPUTS, given.SPILLWAY_DATA_DIR ?? '', given.SPILLWAY_S3_ENDPOINT),
  );
  const secretKeys = part(() => secretKeysOf(given.SPILLWAY_SECRET_KEY, given.SPILLWAY_SECRET_KEY_FILE));
  const llm = part(() => llmSettings(given));
  const provider = given.SPILLWAY_LLM_PROVIDER ?? 'extractive';
  const file = given.SPILLWAY_CONFIG ?? [join(folder, 'spillway.yaml')].find((path) => existsSync(path));
  const yaml = part(() => (file === undefined ? {} : readPolicyFile(file, policySchema, provider)));
  const collector = part(() => traceCollector(source));
  const unknown = unknownVariables(Object.keys(source), Object.keys(variables.shape));
  for (const line of unknown.misspelt) problems.push(line);
  if (
    problems.length > 0 ||
    !parsed.success ||
    !outputs ||
    !secretKeys ||
    llm === undefined ||
    !yaml ||
    collector === undefined
  ) {
    throw new EnvError(problems.join('\n'));
  }
  const v = parsed.data;
  return {
    databaseUrl: v.DATABASE_URL,
    redisUrl: v.REDIS_URL ?? null,
    host: v.SPILLWAY_HOST,
    apiPort: v.API_PORT,
    workerPort: v.WORKER_PORT,
    outputs,
    bootstrapKey: v.SPILLWAY_BOOTSTRAP_KEY ?? null,
    operatorPassword: v.SPILLWAY_OPERATOR_PASSWORD ?? null,
    secretKeys,
    llm,
    traceCollector: collector,
    chatModels: new Set(wordsOf(v.SPILLWAY_CHAT_MODELS)),
    modelCallsMib: v.SPILLWAY_MODEL_CALLS_MIB,
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
    unknownVariables: unknown.ignored,
  };
}

/** What `read` returns, or undefined and its EnvError among the problems. */
function partOf<T>(read: () => T, problems: string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

/** The environment without the variables that have issues. */
function without(source: NodeJS.ProcessEnv, issues: readonly z.core.$ZodIssue[]): NodeJS.ProcessEnv {
  const wrong = new Set(issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(source).filter(([name]) => !wrong.has(name)));
}

type Given = Partial<z.infer<typeof variables>>;

/** The server's model; null without one. Throws EnvError for settings that no call could work with. */
function llmSettings(given: Given): LlmSettings | null {
  const { SPILLWAY_LLM_PROVIDER: provider, SPILLWAY_LLM_BASE_URL: baseUrl } = given;
  const { SPILLWAY_LLM_API_KEY: apiKey, SPILLWAY_LLM_MODEL: model } = given;
  if (provider === undefined && (apiKey ?? model ?? baseUrl) !== undefined) {
    const has = apiKey ? 'SPILLWAY_LLM_API_KEY' : model ? 'SPILLWAY_LLM_MODEL' : 'SPILLWAY_LLM_BASE_URL';
    throw new EnvError(
      `SPILLWAY_LLM_PROVIDER is not set, so ${has} has no effect: set it to ${llmProviders.join(', ')}, or to extractive to call no model`,
    );
  }
  if (provider === undefined || provider === 'extractive') return null;
  if (baseUrl === undefined && provider === 'openai-compatible')
    throw new EnvError('SPILLWAY_LLM_BASE_URL must be set for the provider openai-compatible');
  if (baseUrl === undefined && apiKey === undefined)
    throw new EnvError(`SPILLWAY_LLM_API_KEY must be set for the provider ${provider}`);
  return { provider, baseUrl: baseUrl ?? null, apiKey: apiKey ?? null, model: model ?? null };
}

const llmProviders = summaryProviders.filter((name) => name !== 'extractive');

function readPolicyFile(
  path: string,
  schema: z.ZodType<PolicyInput>,
  provider: SummaryProvider,
): PolicyInput {
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
  const policy = file.data.policy ?? {};
  const problems = serverPolicyProblems(policy, new Set(['extractive', provider]));
  if (problems.length > 0) {
    const why = problems.map((problem) => `/policy${problem.path} ${problem.message}`).join('; ');
    throw new EnvError(`SPILLWAY_CONFIG ${path}: ${why}`);
  }
  return policy;
}
