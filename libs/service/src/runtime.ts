import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { diskBlobStore, s3BlobStore, type BlobStore } from '@spillway/blobs';
import { noHints, openHints, type Hints } from '@spillway/jobs';
import { llmSummarizer, extractiveSummarizer, type LlmSettings, type Summarizer } from '@spillway/llm';
import { AppendQueue, ContextQueue, openStore, type Store } from '@spillway/store';
import type { Logger } from 'pino';
import { reached } from './crash-point.js';
import type { Env, UploadLimits } from './env.js';
import { openLog } from './log.js';
import { secretBox, type SecretBox } from './access/secret-box.js';
import { outageLog } from './operations/outage-log.js';
import { TrustedCallers } from './access/trusted-callers.js';
import { KeptThreads } from './context/kept-threads.js';
import { SettingsCache } from './policies/settings.js';
import { Metrics } from './metrics/metrics.js';
import { timedSummarizer } from './metrics/timed-calls.js';
import { UsageCounter } from './usage/usage-counter.js';
import { ModelCallRoom } from './upstreams/model-call-room.js';
import { shownSettings, type ShownSettings } from './policies/shown-settings.js';
import { version } from './operations/version.js';
import type { Timing } from './timing.js';

/** The dependencies of all use cases, built once per process. */
export interface Runtime {
  store: Store;
  /** Through which messages reach the store. */
  appends: AppendQueue;
  /** Through which contexts are read and recorded. */
  contextQueue: ContextQueue;
  blobs: BlobStore;
  hints: Hints;
  /** By policy.summary.provider; providers without configuration are missing. */
  summarizers: ReadonlyMap<string, Summarizer>;
  /** Where models are called; null without a provider. */
  llm: LlmSettings | null;
  /** Models that /chat may call besides the server's own. */
  chatModels: ReadonlySet<string>;
  /** Room for the contexts that wait for models. */
  modelCalls: ModelCallRoom;
  /** The summary model when a policy names none. */
  summaryModel: string | null;
  settings: SettingsCache;
  trustedCallers: TrustedCallers;
  keptThreads: KeptThreads;
  /** Names this process in leases. */
  owner: string;
  leaseMs: number;
  graceMs: number;
  /** Limits of an output upload. */
  uploads: UploadLimits;
  /** Minimum age of a blob without a row before it is removed. */
  orphanMs: number;
  timing: Timing;
  /** Usage that this process has counted and not yet written. */
  usage: UsageCounter;
  metrics: Metrics;
  /** Encrypts stored secrets, such as those of webhooks. */
  secrets: SecretBox;
  /** Hosts that webhooks may use although they are not public. */
  webhookHosts: ReadonlySet<string>;
  /** Hosts that upstreams of projects may use although they are not public. */
  upstreamHosts: ReadonlySet<string>;
  /** The configuration of this process, without secrets. */
  shownSettings: ShownSettings;
  log: Logger;
  /** Aborted when the process shuts down: running attempts release their leases. */
  draining: AbortSignal;
  close: () => Promise<void>;
}

export function openRuntime(env: Env, name: string): Runtime & { drain: () => void } {
  const log = openLog(env.logLevel, name);
  if (env.unknownVariables.length > 0)
    log.warn({ variables: env.unknownVariables }, 'variables that Spillway does not know have no effect');
  const metrics = new Metrics();
  metrics.set('spillway_build_info', { version, node: process.versions.node, process: name }, 1);
  const drain = new AbortController();
  const store = openStore({
    url: env.databaseUrl,
    maxConnections: env.maxConnections,
    onError: (error) => log.warn({ err: error }, 'lost a database connection'),
  });
  const hints = env.redisUrl ? openHints(env.redisUrl, quietly({ log, metrics }), env.timing.jobs) : noHints;
  return {
    store,
    appends: new AppendQueue(store.query),
    contextQueue: new ContextQueue(store),
    blobs:
      env.outputs.kind === 'disk'
        ? diskBlobStore(env.outputs.folder, { reached: (step) => reached(`output.${step}`) })
        : s3BlobStore(env.outputs),
    hints,
    summarizers: new Map<string, Summarizer>([
      ['extractive', extractiveSummarizer],
      ...(env.llm
        ? [
            [
              env.llm.provider,
              timedSummarizer(llmSummarizer(env.llm, env.timing.provider), metrics, env.llm),
            ] as const,
          ]
        : []),
    ]),
    settings: new SettingsCache(store, env.policy),
    trustedCallers: new TrustedCallers(env.timing.keyTrustMs),
    keptThreads: new KeptThreads(),
    llm: env.llm,
    chatModels: env.chatModels,
    modelCalls: new ModelCallRoom(env.modelCallsMib),
    summaryModel: env.llm?.model ?? null,
    owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    leaseMs: env.leaseMs,
    graceMs: env.graceMs,
    orphanMs: env.orphanMs,
    timing: env.timing,
    uploads: env.uploads,
    usage: new UsageCounter(),
    metrics,
    secrets: secretBox(env.secretKeys),
    webhookHosts: env.webhookHosts,
    upstreamHosts: env.upstreamHosts,
    shownSettings: shownSettings(env),
    log,
    draining: drain.signal,
    drain: () => drain.abort(),
    close: async () => {
      await hints.close();
      await store.close();
    },
  };
}

/** Counts each error of Redis, and logs one line a minute while it is unavailable, not one per retry. */
export function quietly({ log, metrics }: Pick<Runtime, 'log' | 'metrics'>): (error: Error) => void {
  const outages = outageLog(log, 'Redis', { meanwhile: '; compaction continues by polling Postgres' });
  return (error) => {
    metrics.add('spillway_redis_errors_total', {});
    outages.failed(error);
  };
}
