import { catalogue as jobs, type JobName } from '@spillway/jobs';

/** One metric. Every label has a closed list of values, so that no request can add a series. */
export interface MetricSpec {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Values by label; another value is counted as `other`. A text says where the values come from. */
  labels?: Readonly<Record<string, readonly string[] | string>>;
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[];
  /** How the gauges of the processes of one API become one. Default: the sum. */
  ofProcesses?: 'max' | 'min';
}

/** Seconds of work within one process or database. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Seconds of work that may wait for a model. */
const longSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 1_800];
/** One queue for each job. */
const queues = Object.keys(jobs) as JobName[];
const purposes = ['summary', 'chat'];

/** Why an attempt ended without a summary: reasons of outcomes, failures of a model, our own trouble. */
const attemptReasons = [
  ...['none', 'caller', 'nothing_to_cut', 'too_little_to_reclaim', 'poison', 'too_many_attempts'],
  ...['irreducible', 'auth', 'rejected', 'refused', 'shutting_down', 'rate_limited', 'unavailable', 'paused'],
  'compaction_paused',
  ...['too_long', 'invalid_answer', 'internal'],
];

/** All metrics that API and worker export, by name. docs/operations/metrics.md is written from it. */
export const metricCatalogue = {
  spillway_build_info: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'Always 1; the labels name the version and the process.',
    labels: {
      version: 'of Spillway',
      node: 'the version of Node.js',
      process: ['api', 'worker'],
    },
  },
  spillway_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the head of a request to the end of its answer. A stream of events lasts as long as it is open.',
    labels: {
      route: 'templates of the contract, `/docs`, `/queues`, `/metrics` and `unmatched`',
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'],
      status: ['2xx', '3xx', '4xx', '5xx', 'aborted'],
    },
    buckets: seconds,
  },
  spillway_api_processes: {
    kind: 'gauge',
    help: 'Processes of an API that answered this scrape: `API_WORKERS` of them when all is well.',
  },
  spillway_api_process_restarts_total: {
    kind: 'counter',
    help: 'Processes of an API that were started in place of one that ended, with `API_WORKERS`.',
  },
  spillway_http_requests_in_flight: {
    kind: 'gauge',
    help: 'Requests without an answer yet, streams included.',
  },
  spillway_appends_total: {
    kind: 'counter',
    help: 'Appends that recorded messages. A repeated one records nothing.',
  },
  spillway_messages_recorded_total: { kind: 'counter', help: 'Messages recorded.' },
  spillway_recorded_tokens_total: {
    kind: 'counter',
    help: 'Tokens of recorded messages, before offloading.',
  },
  spillway_contexts_served_total: { kind: 'counter', help: 'Contexts served to be sent to a model.' },
  spillway_contexts_degraded_total: {
    kind: 'counter',
    help: 'Contexts that left out messages which no summary covers yet.',
  },
  spillway_context_tokens_total: {
    kind: 'counter',
    help: 'Tokens of served contexts, and those that the whole history would have taken more, up to the window.',
    labels: { kind: ['sent', 'not_sent'] },
  },
  spillway_compaction_attempts_total: {
    kind: 'counter',
    help: 'Attempts by how they ended. An attempt of a process that died is not counted.',
    labels: {
      outcome: [
        ...['compacted', 'prepared', 'proposed', 'nothing_to_compact'],
        ...['failed', 'parked', 'lost_cas', 'released'],
      ],
      reason: attemptReasons,
    },
  },
  spillway_compaction_trigger_to_summary_seconds: {
    kind: 'histogram',
    help: 'Time from the append that made a thread due to the summary in place.',
    buckets: longSeconds,
  },
  spillway_compaction_folded_tokens_total: {
    kind: 'counter',
    help: 'Tokens by which summaries made contexts smaller.',
  },
  spillway_compactions_running: { kind: 'gauge', help: 'Attempts that run in this worker.' },
  spillway_compaction_last_begun_timestamp_seconds: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'When this worker last began an attempt, or started.',
  },
  spillway_threads: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'Threads with something to compact, by state, over all projects; at most 10,000 are counted.',
    labels: { state: ['due', 'running', 'backoff', 'parked'] },
  },
  spillway_parked_threads: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'Parked threads by reason. `undone` and `declined` go on by themselves.',
    labels: {
      reason: [
        ...['irreducible', 'auth', 'rejected', 'refused', 'too_many_attempts', 'poison'],
        ...['undone', 'declined'],
      ],
    },
  },
  spillway_oldest_due_seconds: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'For how long a worker could have taken the oldest due thread; 0 when none is due.',
  },
  spillway_oldest_backoff_seconds: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'How long ago the oldest thread whose attempts fail became due; 0 when none waits for its next attempt.',
  },
  spillway_compaction_paused: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'What the operator lets no worker compact: `server` is 1 for all projects, `projects` counts those paused themselves.',
    labels: { scope: ['server', 'projects'] },
  },
  spillway_queue_jobs: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'Jobs in Redis. Hints are lost and made again, so the backlog is `spillway_threads`.',
    labels: {
      queue: queues,
      state: ['waiting', 'active', 'delayed'],
    },
  },
  spillway_job_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of jobs that Redis delivered. `error`: the job threw, which is a defect or an outage.',
    labels: {
      queue: queues,
      outcome: ['done', 'skipped', 'retry_later', 'give_up', 'error'],
    },
    buckets: longSeconds,
  },
  spillway_provider_call_duration_seconds: {
    kind: 'histogram',
    help: 'Calls of models by how they ended. `paused`: no request was sent, because the provider fails or asked to wait.',
    labels: {
      purpose: purposes,
      outcome: [
        ...['ok', 'rate_limited', 'unavailable', 'paused', 'too_long', 'auth', 'rejected', 'refused'],
        ...['invalid_answer', 'aborted', 'failed'],
      ],
    },
    buckets: longSeconds,
  },
  spillway_provider_tokens_total: {
    kind: 'counter',
    help: 'Tokens that models reported. `cached_input` is part of `input`.',
    labels: { purpose: purposes, kind: ['input', 'output', 'cached_input'] },
  },
  spillway_provider_cost_usd_total: {
    kind: 'counter',
    help: 'Cost of model calls at the prices of the project; calls without a price add nothing.',
    labels: { purpose: purposes },
  },
  spillway_summary_fidelity_ratio: {
    kind: 'histogram',
    help: 'Fidelity score of summaries put in place: the share of instructions, or of used facts, that they keep.',
    labels: { method: ['llm', 'extractive', 'caller'] },
    buckets: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99],
  },
  spillway_summaries_below_minimum_total: {
    kind: 'counter',
    help: 'Summaries that `summary.min_fidelity` refused: asked for once more, or completed by code.',
    labels: { method: ['llm', 'extractive'] },
  },
  spillway_summaries_over_budget_total: {
    kind: 'counter',
    help: 'Summaries made by code because `summary.max_tokens_per_day` was spent.',
  },
  spillway_chat_over_budget_total: {
    kind: 'counter',
    help: 'Model calls of agents that were refused because the tokens of the day were spent: `chat.max_tokens_per_day` of the policy, or `max_chat_tokens_per_day` of the key.',
    labels: { budget: ['project', 'key'] },
  },
  spillway_history_calls_total: {
    kind: 'counter',
    help: 'Calls that name no thread, with `Spillway-Thread-From: history` or `session`, by where their conversation went on. `not_found`: it has an answer already, and no thread has it, so it has a new one.',
    labels: { outcome: ['continued', 'forked', 'new', 'not_found'] },
  },
  spillway_last_admin_keys: {
    kind: 'gauge',
    ofProcesses: 'max',
    help: 'Projects whose last admin key expires within 14 days, or has expired; without suspended ones.',
    labels: { state: ['expiring', 'expired'] },
  },
  spillway_outputs_offloaded_total: {
    kind: 'counter',
    help: 'Tool results whose message was recorded with a stub.',
  },
  spillway_outputs_offloaded_bytes_total: { kind: 'counter', help: 'Bytes of these tool results.' },
  spillway_sweeps_total: {
    kind: 'counter',
    help: 'Sweeps of one project. `refused`: too much looked orphaned, nothing was removed. `failed`: bytes or a project could not be swept; it is tried again.',
    labels: { sweep: ['outputs', 'storage'], outcome: ['done', 'refused', 'failed'] },
  },
  spillway_swept_blobs_total: {
    kind: 'counter',
    help: 'Outputs, media and orphaned blobs removed.',
    labels: { sweep: ['outputs', 'storage'] },
  },
  spillway_swept_bytes_total: {
    kind: 'counter',
    help: 'Bytes freed by sweeps.',
    labels: { sweep: ['outputs', 'storage'] },
  },
  spillway_webhook_deliveries_total: {
    kind: 'counter',
    help: 'Attempts of deliveries. `retried`: failed, and tried again later; `failed`: given up.',
    labels: { outcome: ['delivered', 'retried', 'failed'] },
  },
  spillway_postgres_up: {
    kind: 'gauge',
    ofProcesses: 'min',
    help: '1 when Postgres answered this scrape, else 0; then the gauges of threads are missing.',
  },
  spillway_postgres_pool_connections: {
    kind: 'gauge',
    help: 'Connections of this process.',
    labels: { state: ['used', 'idle'] },
  },
  spillway_postgres_pool_max_connections: { kind: 'gauge', help: '`SPILLWAY_POOL`.' },
  spillway_postgres_pool_waiting: { kind: 'gauge', help: 'Statements that wait for a connection.' },
  spillway_redis_up: {
    kind: 'gauge',
    ofProcesses: 'min',
    help: '1 when Redis took a write at this scrape, else 0; missing where no Redis is configured.',
  },
  spillway_storage_up: {
    kind: 'gauge',
    ofProcesses: 'min',
    help: '1 when the storage of outputs took the last write that this process tried, every 30 s, else 0.',
  },
  spillway_redis_errors_total: { kind: 'counter', help: 'Errors of connections to Redis and of commands.' },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof metricCatalogue;
