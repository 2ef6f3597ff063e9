import { z } from 'zod';
import { readerToolSchemas } from '../tools/reader-tools.js';
import { tokensPerDay } from '../quantities.js';
import { askedModel, plainText } from '../text.js';
import { explainRenamedKeys, refuseRenamedLock } from './renamed-keys.js';

const tokens = z.number().int().min(1).max(100_000_000);

const contextPolicy = z
  .strictObject({
    context_window: tokens
      .nullable()
      .describe("The model's context window in tokens; replaces what the model registry knows."),
    trigger_tokens: tokens
      .nullable()
      .describe(
        'Compaction is due at this many tokens, at most 90 % of the limit; replaces trigger_ratio x window.',
      ),
    trigger_ratio: z
      .number()
      .gt(0)
      .lte(0.9)
      .describe(
        'Share of the window at which compaction is due; at most 90 % of the limit, which is the window minus response_reserve.',
      ),
    prepare_ratio: z
      .number()
      .gt(0)
      .lte(0.9)
      .nullable()
      .describe(
        'Share of the window at which a model writes the next summary ahead, to be put in place at the trigger; not before the messages that come until then fill the reserve. With a trigger at this share or below, at three quarters of the trigger. Null: it writes at the trigger.',
      ),
    idle_ms: z
      .number()
      .int()
      .min(1_000)
      .max(604_800_000)
      .nullable()
      .describe(
        'Milliseconds without a message after which a thread past prepare_ratio is compacted without waiting for its trigger: its cached prefix is gone by then. Null: never.',
      ),
    reserve_ratio: z
      .number()
      .min(0)
      .lt(0.9)
      .describe('Share of the window that stays verbatim when a thread is compacted: its newest messages.'),
    keep_recent_turns: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .nullable()
      .describe('Newest turns that stay verbatim when a thread is compacted; replaces the reserve.'),
    response_reserve: z
      .number()
      .int()
      .min(0)
      .max(100_000_000)
      .describe(
        "Tokens of the window kept free for the model's response. The default is at most half of the window.",
      ),
    counter: z
      .enum(['o200k', 'cl100k', 'estimate'])
      .describe('How tokens are counted: by one of two tokenizers, or estimated from the characters.'),
    chars_per_token: z
      .number()
      .gt(0)
      .lte(16)
      .describe('Characters taken for one token when tokens are estimated.'),
    message_overhead: z
      .number()
      .int()
      .min(0)
      .max(1000)
      .describe("Tokens that the model's chat template adds to each message."),
    max_images: z
      .number()
      .int()
      .min(0)
      .max(1000)
      .describe('Newest images that are sent; older ones become a note.'),
    keep_tool_results: z
      .number()
      .int()
      .min(0)
      .max(10_000)
      .nullable()
      .describe('A compaction clears the tool results beyond this many newest ones. Null: it clears none.'),
    min_reclaim_ratio: z
      .number()
      .min(0)
      .lte(1)
      .describe('Share of the trigger that an automatic compaction must reclaim to be worth its cache miss.'),
    archive: z
      .boolean()
      .describe(
        "Whether messages that a compaction covers are also written to a file in the thread's folder.",
      ),
  })
  .partial()
  .superRefine(explainRenamedKeys('context'), { when: () => true });

/** A test compares this list with the engine's. */
export const summaryProvider = z.enum(['extractive', 'openai-compatible', 'openai', 'anthropic', 'google']);

const summaryPolicy = z
  .strictObject({
    enabled: z
      .boolean()
      .describe('Whether threads are summarized. If not, contexts leave out the oldest messages instead.'),
    provider: summaryProvider.describe(
      'Who writes summaries: the extractive summarizer or the provider that this server is configured for.',
    ),
    model: askedModel.nullable().describe("The model that writes summaries. Null: the server's."),
    max_tokens: z
      .number()
      .int()
      .min(64)
      .max(100_000)
      .nullable()
      .describe(
        'The longest summary in tokens; it never takes more than a quarter of what a context may use. Not set, 5 % of that, from 1,024 to 8,192.',
      ),
    prompt: plainText(20_000)
      .nullable()
      .describe('Replaces our instructions to the model that writes summaries.'),
    template: plainText(20_000)
      .nullable()
      .describe('How a summary is shown to the agent: a text with {field} where each field goes.'),
    schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON Schema of the fields of a summary; replaces our five.'),
    input: z
      .enum(['transcript', 'continuation'])
      .describe(
        'What the summary model reads: the messages as a transcript, or the context of the agent with one more message.',
      ),
    timeout_ms: z.number().int().min(100).max(600_000).describe('Timeout of a model call, in milliseconds.'),
    extractive_after_ms: z
      .number()
      .int()
      .min(0)
      .max(31_536_000_000)
      .nullable()
      .describe(
        'When no model has made a usable summary for this many milliseconds, an extractive fallback summary is made. Null: never.',
      ),
    max_tokens_per_day: tokensPerDay.describe(
      'Input and output tokens that models may take for summaries of the project on a day in UTC. Once they are spent, summaries are extractive fallbacks until the next day. Null: any number.',
    ),
    min_fidelity: z
      .number()
      .min(0)
      .lte(1)
      .nullable()
      .describe(
        'The share of standing instructions and of facts that a summary must keep. Below it a model makes the summary once more, told what it lost; then code adds what is missing, as far as there is room. Null: summaries are taken as they come.',
      ),
    apply: z
      .enum(['automatic', 'on_approval'])
      .describe(
        'Whether a summary takes effect by itself, or is proposed and waits for an approval until the thread is half-way from its trigger to its limit.',
      ),
  })
  .partial();

const readerToolKeys = Object.keys(readerToolSchemas) as (keyof typeof readerToolSchemas)[];
const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1-64 characters of A-Z a-z 0-9 _ -');

const outputsPolicy = z
  .strictObject({
    threshold_tokens: z
      .number()
      .int()
      .min(1)
      .max(100_000_000)
      .describe(
        'Tool results of more tokens are offloaded: stored as an output, with a stub in the context.',
      ),
    threshold_chars: z
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .nullable()
      .describe('Tool results of more characters are offloaded; replaces threshold_tokens.'),
    head_lines: z.number().int().min(0).max(1000).describe('First lines of an output that its stub shows.'),
    tail_lines: z.number().int().min(0).max(1000).describe('Last lines of an output that its stub shows.'),
    preview_tokens: z.number().int().min(0).max(100_000).describe('Maximum tokens of the preview in a stub.'),
    exempt_tools: z
      .array(plainText(200))
      .max(1000)
      .describe(
        'Tools whose results are offloaded only above four times the threshold, or above a quarter of the limit if that is less. Tools that read outputs back always are such tools.',
      ),
    tool_names: z
      .strictObject(
        Object.fromEntries(
          readerToolKeys.map((tool) => [tool, toolName.describe(`The name of ${tool} for the model.`)]),
        ) as Record<(typeof readerToolKeys)[number], typeof toolName>,
      )
      .partial()
      .refine((names) => {
        const all = readerToolKeys.map((tool) => names[tool] ?? tool);
        return new Set(all).size === all.length;
      }, 'must give each tool another name')
      .describe(
        'Names of the tools that read outputs and messages back, for stubs, summaries and GET .../tools. Names left out are ours.',
      ),
    ttl_ms: z
      .number()
      .int()
      .min(1000)
      .max(31_536_000_000_000)
      .describe('Milliseconds after which a sweep deletes an output that is not pinned.'),
    max_bytes: z
      .number()
      .int()
      .min(0)
      .max(9_007_199_254_740_991)
      .describe("Bytes that the project's outputs may take; beyond them a sweep deletes the oldest."),
  })
  .partial()
  .superRefine(explainRenamedKeys('outputs'), { when: () => true });

const chatPolicy = z
  .strictObject({
    max_tokens_per_day: tokensPerDay.describe(
      'Input and output tokens that model calls of agents may take in the project on a day in UTC, through /chat and the proxies. Once they are spent, further calls get a 429 until the next day. Null: any number.',
    ),
  })
  .partial();

export const presetName = z.enum(['dawn', 'chronos', 'agentscope']);

/** A policy at one level (server, project, thread, call). Every key is optional; unknown keys are refused. */
export const policyInput = z
  .strictObject({
    preset: presetName.describe(
      "Starts this level with another system's defaults; other keys of the level override them.",
    ),
    locks: z
      .array(
        z
          .string()
          .regex(/^(context|summary|outputs|chat)\.[a-z_]{1,40}$/, 'must be a key like summary.provider')
          .superRefine(refuseRenamedLock),
      )
      .max(100)
      .describe(
        "Keys, as `summary.provider`, that threads and calls cannot set. A project's policy may have locks.",
      ),
    context: contextPolicy.describe('How large contexts are, and when they are compacted.'),
    summary: summaryPolicy.describe('Who writes summaries, and how.'),
    outputs: outputsPolicy.describe('Which tool results are offloaded, and how long they are stored.'),
    chat: chatPolicy.describe('What model calls of agents may take, through /chat and the proxies.'),
  })
  .partial()
  .meta({
    id: 'PolicyInput',
    description:
      'The keys of a policy that one level sets: server, project, thread or call. Every key is optional; unknown keys are refused.',
  });
