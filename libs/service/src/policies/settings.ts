import {
  budgetOf,
  calibrated,
  contextWindowOf,
  conversationOverhead,
  loadCounter,
  mergeLevels,
  resolvePolicy,
  SpillwayError,
  type Budget,
  type CountTokens,
  type FormatName,
  type MessageCounter,
  type Policy,
  type PolicyLevel,
  type PolicyInput,
} from '@spillway/engine';
import {
  readSettings,
  readThread,
  type ProjectSettings,
  type GrownThread,
  type Store,
  type ThreadRow,
} from '@spillway/store';
import { LRUCache } from 'lru-cache';
import type { CounterChoice } from '../outputs/text-work/worker.js';

/** A counter that a worker thread can load too. */
export interface ThreadCounter extends MessageCounter {
  choice: CounterChoice;
}

/** The settings of one thread: all levels of its policy merged, and what follows from them. */
export interface ThreadSettings {
  /** The merged levels, without defaults. */
  input: PolicyInput;
  policy: Policy;
  /**
   * Under the adopted calibration; the trigger also under the newest measurement, so that a compaction comes in time.
   */
  budget: Budget;
  /** The limit, under the newest measurement when that makes it smaller. No context is larger, compacted or not. */
  measuredLimit: number;
  /** Tokens of a text. */
  count: CountTokens;
  counter: ThreadCounter;
  /** Tokens of the system prompt and the tool schemas, which are sent beside the messages. */
  systemTokens: number;
  /** Of these, the tool schemas. */
  toolTokens: number;
  /** What requests for contexts bring beside the messages and the thread's own prompt and tools, at most so far. */
  requestTokens: number;
  /** Live tokens of the thread without messages. */
  baseTokens: number;
  /** Of messages that are posted and read without a format. */
  format: FormatName;
  settingsVersion: number;
  /** 0 for a thread that does not exist. */
  policyVersion: number;
}

export interface ThreadPolicySource {
  model: string | null;
  system: string | null;
  /** Tool schemas as JSON. */
  tools: string | null;
  format: string | null;
  calibration: number;
  measuredRatio: number;
  requestTokens: number;
  policy: PolicyInput;
  policyVersion: number;
}

/** The settings of a thread that does not exist yet. */
export const noThread: ThreadPolicySource = {
  model: null,
  system: null,
  tools: null,
  format: null,
  calibration: 1,
  measuredRatio: 1,
  requestTokens: 0,
  policy: {},
  policyVersion: 0,
};

/** What settings take beside their policy, in characters. */
const lengthOfSettings = 1_000;

/**
 * Caches policies by project and thread. An entry is used only while its versions match: the append statement compares
 * them and a context read brings the row's, so a stale entry costs a round trip and never a wrong decision.
 */
export class SettingsCache {
  private readonly projects = new LRUCache<string, ProjectSettings>({ max: 1_000 });
  private readonly threads = new LRUCache<string, { settings: ThreadSettings; length: number }>({
    max: 20_000,
    // In characters: a policy may have 72,000 of prompt, template and schema.
    maxSize: 32_000_000,
    sizeCalculation: ({ length }) => length,
  });

  constructor(
    private readonly store: Store,
    private readonly serverPolicy: PolicyInput,
  ) {}

  /** Settings of a project, at least as new as `version`. */
  async project(projectId: string, version = 0): Promise<ProjectSettings> {
    const known = this.projects.get(projectId);
    if (known && known.settingsVersion >= version) return known;
    const read = await readSettings(this.store, projectId);
    if (!read) throw new SpillwayError('unauthorized', 'The project of this key no longer exists.');
    this.projects.set(projectId, read);
    return read;
  }

  /** The policy of a thread that nobody set anything for. */
  serverDefaults(): Policy {
    return resolvePolicy(this.serverPolicy);
  }

  /** The policy of a project that a statement has read, for threads that nobody set anything for. */
  projectDefaults(project: Pick<ProjectSettings, 'policy'>): Policy {
    return resolvePolicy(mergeLevels(this.levels(project, noThread)).input);
  }

  forget(projectId: string, threadId?: string): void {
    this.projects.delete(projectId);
    if (threadId !== undefined) this.forgetThread(projectId, threadId);
  }

  /** After a change of the thread alone. */
  forgetThread(projectId: string, threadId: string): void {
    this.threads.delete(`${projectId}/${threadId}`);
  }

  /** Settings of a thread known by its row, which is read again when its texts are needed and missing. */
  async ofRow(row: ThreadRow | GrownThread): Promise<ThreadSettings> {
    const key = `${row.projectId}/${row.id}`;
    const known = this.threads.get(key)?.settings;
    if (known?.policyVersion === row.policyVersion && known.settingsVersion === row.settingsVersion)
      return known;
    const project = await this.project(row.projectId, row.settingsVersion);
    const whole = 'policy' in row ? row : await readThread(this.store.query, row.projectId, row.id);
    if (!whole || whole.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
    const policy = JSON.parse(whole.policy) as PolicyInput;
    const settings = await this.resolve(project, { ...whole, policy });
    this.threads.set(key, { settings, length: lengthOfSettings + whole.policy.length });
    return settings;
  }

  /** Settings of a thread by its id. If it does not exist yet: the project's defaults, at policyVersion 0. */
  async ofId(projectId: string, threadId: string): Promise<ThreadSettings> {
    const known = this.threads.get(`${projectId}/${threadId}`)?.settings;
    if (known) return known;
    const row = await readThread(this.store.query, projectId, threadId);
    if (row?.deletedAt) throw new SpillwayError('thread_erased', 'This thread was erased.');
    return row ? this.ofRow(row) : this.resolve(await this.project(projectId), noThread);
  }

  /** The levels, the lowest first. */
  levels(
    project: Pick<ProjectSettings, 'policy'>,
    thread: Pick<ThreadPolicySource, 'policy'>,
    call: PolicyInput = {},
  ): PolicyLevel[] {
    return [
      { name: 'server', policy: this.serverPolicy },
      { name: 'project', policy: JSON.parse(project.policy) as PolicyInput },
      { name: 'thread', policy: thread.policy },
      { name: 'call', policy: call },
    ];
  }

  /** Merges server, project, thread and call; `call` overrides for one call only. */
  async resolve(
    project: ProjectSettings,
    thread: ThreadPolicySource,
    call: PolicyInput = {},
  ): Promise<ThreadSettings> {
    const { input } = mergeLevels(this.levels(project, thread, call));
    const policy = resolvePolicy(input);
    const window = policy.context.context_window ?? contextWindowOf(thread.model, project.overrides).tokens;
    const count = await loadCounter(policy.context.counter, policy.context.chars_per_token);
    const choice = { name: policy.context.counter, charsPerToken: policy.context.chars_per_token };
    const counter = { text: count, perMessage: policy.context.message_overhead, choice };
    const toolTokens = thread.tools === null ? 0 : count(thread.tools);
    const systemTokens =
      toolTokens + (thread.system === null ? 0 : count(thread.system) + counter.perMessage);
    const { budget, measuredLimit } = budgetIn(window, input, thread);
    return {
      input,
      policy,
      budget,
      measuredLimit,
      count,
      counter,
      toolTokens,
      systemTokens,
      requestTokens: thread.requestTokens,
      baseTokens: systemTokens + thread.requestTokens + conversationOverhead,
      format: (thread.format ?? 'openai') as FormatName,
      settingsVersion: project.settingsVersion,
      policyVersion: thread.policyVersion,
    };
  }
}

/** The budget of a thread in a context window, in tokens as its provider counts them. */
export function budgetIn(
  window: number,
  input: PolicyInput,
  { calibration, measuredRatio }: Pick<ThreadPolicySource, 'calibration' | 'measuredRatio'>,
): { budget: Budget; measuredLimit: number } {
  const uncalibrated = budgetOf(input, window);
  const budget = calibrated(uncalibrated, calibration);
  const measured = calibrated(uncalibrated, measuredRatio);
  return {
    budget: {
      ...budget,
      trigger: Math.min(budget.trigger, measured.trigger),
      prepare: budget.prepare && measured.prepare && Math.min(budget.prepare, measured.prepare),
    },
    measuredLimit: Math.min(budget.limit, measured.limit),
  };
}
