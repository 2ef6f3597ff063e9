import { extractiveSummarizer, type Summarizer } from '@spillway/llm';
import { noHints, type Hints } from '@spillway/jobs';
import { AppendQueue, ContextQueue } from '@spillway/store';
import {
  fairCompactor,
  Metrics,
  KeptThreads,
  TrustedCallers,
  productionTiming,
  secretBox,
  SettingsCache,
  UsageCounter,
  type FairCompactor,
  type Runtime,
  ModelCallRoom,
} from '@spillway/service';
import type { PolicyInput } from '@spillway/engine';
import { openMemoryStore, type Gate, type MemoryStore } from './memory/memory-store.js';
import type { Tables } from './memory/tables.js';

/** A process of the product: the runtime of its use cases, over a simulated store and model. */
export class SimulatedProcess {
  alive = true;
  draining = false;
  /** Time until which the process is paused. */
  pausedUntil = 0;
  /** Use cases that run in it. */
  busy = 0;
  readonly rt: Runtime;
  readonly compactor: FairCompactor;
  private readonly store: MemoryStore;
  private readonly drainer = new AbortController();

  constructor(
    readonly name: string,
    world: {
      tables: Tables;
      policy: PolicyInput;
      leaseMs: number;
      hints: Hints | null;
      ask: (process: SimulatedProcess, ask: Parameters<Gate>[0]) => Promise<unknown>;
      model: (gate: Gate) => Summarizer;
      onDefect: (error: unknown) => void;
    },
  ) {
    const gate: Gate = (ask) => world.ask(this, ask);
    this.store = openMemoryStore(world.tables, gate);
    this.rt = {
      store: this.store,
      appends: new AppendQueue(this.store.query),
      contextQueue: new ContextQueue(this.store),
      blobs: untouched as unknown as Runtime['blobs'],
      hints: world.hints ?? noHints,
      summarizers: new Map([
        ['extractive', extractiveSummarizer],
        ['openai', world.model(gate)],
      ]),
      llm: null,
      chatModels: new Set(),
      modelCalls: new ModelCallRoom(64),
      summaryModel: null,
      secrets: secretBox([]),
      settings: new SettingsCache(this.store, world.policy),
      trustedCallers: new TrustedCallers(productionTiming.keyTrustMs),
      keptThreads: new KeptThreads(),
      owner: name,
      leaseMs: world.leaseMs,
      graceMs: 0,
      orphanMs: 0,
      timing: productionTiming,
      uploads: { maxBytes: 0, idleMs: 0, totalMs: 0 },
      usage: new UsageCounter(),
      metrics,
      webhookHosts: new Set(),
      upstreamHosts: new Set(),
      shownSettings: {},
      log: logTo(world.onDefect),
      draining: this.drainer.signal,
      close: () => Promise.resolve(),
    };
    this.compactor = fairCompactor(this.rt);
  }

  drain(): void {
    this.draining = true;
    this.drainer.abort();
  }

  die(): void {
    this.alive = false;
    this.store.disconnect();
  }
}

/** Of all simulated processes: nobody reads them. */
const metrics = new Metrics();

/** No text in the simulation is large enough for a worker thread. */
const untouched = new Proxy(
  {},
  { get: (_, name) => () => Promise.reject(new Error(`blobs.${String(name)}`)) },
);

/** Whatever the product logs as an error is a defect, unless it is a simulated outage. */
function logTo(onDefect: (error: unknown) => void): Runtime['log'] {
  const quiet = () => undefined;
  const error = ({ err }: { err: unknown }) => onDefect(err);
  return { debug: quiet, info: quiet, warn: quiet, error } as unknown as Runtime['log'];
}
