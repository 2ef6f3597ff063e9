import type { ReaderToolNames } from '../reader-tools/reader-tool-names.js';
import type { CounterName } from '../tokens/counter.js';

/** Who can write summaries: code, or a model of one of these providers. */
export const summaryProviders = ['extractive', 'openai-compatible', 'openai', 'anthropic', 'google'] as const;
export type SummaryProvider = (typeof summaryProviders)[number];

/** How a thread is treated. Tokens, bytes and milliseconds; ratios are shares of the context window. */
export interface Policy {
  context: {
    /** Overrides the model registry. */
    context_window: number | null;
    /** Absolute trigger, like Dawn's maxTokens; replaces trigger_ratio x window. */
    trigger_tokens: number | null;
    /** AgentScope and Chronos: 0.8. */
    trigger_ratio: number;
    /**
     * Share of the window at which a model writes the next summary ahead, so that it is there at the trigger. Null: it
     * writes at the trigger.
     */
    prepare_ratio: number | null;
    /**
     * After this long without a message the provider's cache is cold, so a fold costs no cached prefix. Null: folds wait
     * for the trigger.
     */
    idle_ms: number | null;
    /** AgentScope: the newest messages within 0.1 of the window stay verbatim. */
    reserve_ratio: number;
    /** Dawn and Chronos keep turns; when set it replaces reserve_ratio. */
    keep_recent_turns: number | null;
    /** Tokens kept free for the model's response. */
    response_reserve: number;
    counter: CounterName;
    chars_per_token: number;
    /** Tokens that the chat template adds to each message (Chronos counts 4, OpenAI's models 3 to 4). */
    message_overhead: number;
    /** AgentScope: at most this many of the newest images are sent; older ones become a note. */
    max_images: number;
    /** Chronos: a compaction clears the results of older tool calls beyond the newest N. Null keeps them all. */
    keep_tool_results: number | null;
    /** An automatic compaction must reclaim at least this share of the trigger to be worth its cache miss. */
    min_reclaim_ratio: number;
    /** AgentScope's offload_context: covered messages are also written to a file that an agent may grep. */
    archive: boolean;
  };
  summary: {
    enabled: boolean;
    provider: SummaryProvider;
    model: string | null;
    /** The longest summary. Null follows the window: see `summaryTokensFor`. */
    max_tokens: number | null;
    prompt: string | null;
    template: string | null;
    schema: Record<string, unknown> | null;
    input: 'transcript' | 'continuation';
    timeout_ms: number;
    /**
     * When no model has made a summary for this long, or its answers are unusable, an extractive fallback summary is
     * made. Null: never.
     */
    extractive_after_ms: number | null;
    /** Tokens that models may take for summaries of the project on a day in UTC. Then code makes them. Null: any number. */
    max_tokens_per_day: number | null;
    /**
     * The share of instructions and of facts that a summary must keep. Below it a model makes it once more, and code
     * completes it. Null: as it comes.
     */
    min_fidelity: number | null;
    /** Whether a summary takes effect by itself, or waits for an approval. */
    apply: 'automatic' | 'on_approval';
  };
  outputs: {
    threshold_tokens: number;
    threshold_chars: number | null;
    head_lines: number;
    tail_lines: number;
    preview_tokens: number;
    exempt_tools: string[];
    /** Names of the tools that read outputs and messages. Those left out have our names. */
    tool_names: Partial<ReaderToolNames>;
    ttl_ms: number;
    max_bytes: number;
  };
  /** Model calls of agents: the turns of /chat and of the proxies. */
  chat: {
    /** Tokens that they may take in the project on a day in UTC. Then they are refused. Null: any number. */
    max_tokens_per_day: number | null;
  };
}

export const presetNames = ['dawn', 'chronos', 'agentscope'] as const;
export type PresetName = (typeof presetNames)[number];

/** The policy of one level: each key is optional. */
export type PolicyInput = {
  /** Starts this level with another system's defaults; other keys of the level override them. */
  preset?: PresetName;
  /**
   * Keys, such as `summary.provider`, that later levels cannot set. Allowed in the server's and the project's policy
   * only.
   */
  locks?: string[];
} & { [G in keyof Policy]?: Partial<Policy[G]> };

export const defaultPolicy: Policy = {
  context: {
    context_window: null,
    trigger_tokens: null,
    trigger_ratio: 0.8,
    prepare_ratio: 0.6,
    idle_ms: null,
    reserve_ratio: 0.1,
    keep_recent_turns: null,
    response_reserve: 4096,
    counter: 'o200k',
    chars_per_token: 4,
    message_overhead: 4,
    max_images: 5,
    keep_tool_results: null,
    min_reclaim_ratio: 0.2,
    archive: false,
  },
  summary: {
    enabled: true,
    provider: 'extractive',
    model: null,
    max_tokens: null,
    prompt: null,
    template: null,
    schema: null,
    input: 'transcript',
    timeout_ms: 120_000,
    extractive_after_ms: 86_400_000,
    max_tokens_per_day: null,
    min_fidelity: null,
    apply: 'automatic',
  },
  outputs: {
    threshold_tokens: 3000,
    threshold_chars: null,
    head_lines: 5,
    tail_lines: 5,
    preview_tokens: 600,
    exempt_tools: ['read_file', 'readFile', 'list_dir', 'listDir', 'read_output', 'grep_output'],
    tool_names: {},
    ttl_ms: 2_592_000_000,
    max_bytes: 10_737_418_240,
  },
  chat: {
    max_tokens_per_day: null,
  },
};
