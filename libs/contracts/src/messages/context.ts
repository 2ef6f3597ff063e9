import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { summaryMethod } from '../compaction/compaction.js';
import { messageFormat } from '../formats/message-format.js';
import { timestamp } from '../text.js';

export const context = z
  .object({
    format: messageFormat.describe('The format of `messages`.'),
    messages: z
      .array(z.looseObject({}))
      .describe('Empty with omit=messages, and with since: then append or replay has them.'),
    append: z
      .array(z.looseObject({}))
      .optional()
      .describe('With since: put these behind the messages that you hold, and you hold all of them.'),
    replay: z
      .array(z.looseObject({}))
      .optional()
      .describe('With since, when what you hold is no longer the beginning: all messages.'),
    reason: z
      .enum([
        'unknown_fingerprint',
        'format_changed',
        'system_changed',
        'model_changed',
        'rewound',
        'folded',
        'rewritten',
      ])
      .optional()
      .describe('With replay: why.'),
    system: z
      .string()
      .nullable()
      .describe('The system prompt to send beside the messages; null when there is none.'),
    tools: z
      .array(z.looseObject({}))
      .optional()
      .describe(
        'With tools=true: the tools that read outputs and earlier messages back, to send beside your own.',
      ),
    tokens: z
      .object({
        total: whole.describe('Never more than budget.limit.'),
        system: whole.describe(
          'Of what is sent beside the summary and the recent messages: system prompt, tools, leading system messages.',
        ),
        summary: whole.describe('Of the summary.'),
        recent: whole.describe('Of the messages beside the summary.'),
      })
      .describe('Tokens of the context, as Spillway counts them.'),
    budget: z
      .object({
        context_window: whole.describe('Tokens that the model accepts, input and output together.'),
        limit: whole.describe('No context is larger; less with max_tokens.'),
        trigger: whole.describe('Live tokens at which a compaction is due.'),
      })
      .describe('What the context was made for.'),
    summary: z
      .object({
        generation: position.describe('Its number.'),
        from_seq: position.describe(
          'The first message that this generation folded. What came before is in it from the generations before.',
        ),
        to_seq: position.describe('The last message it stands for.'),
        method: summaryMethod,
      })
      .nullable()
      .describe('The summary that the context shows; null without one.'),
    elided: z
      .array(
        z.object({
          from_seq: position.describe('The first of them.'),
          to_seq: position.describe('The last of them.'),
          reason: z
            .enum(['over_budget', 'shortened'])
            .describe('over_budget: left out; shortened: shown in part.'),
        }),
      )
      .describe('Messages that were left out or shortened to fit the limit. Empty unless degraded.'),
    parts: z
      .array(
        z.object({
          kind: z
            .enum(['system', 'carried', 'summary', 'recent', 'note'])
            .describe('carried: older than the summary and kept verbatim; note: added by Spillway.'),
          seq: position.nullable().describe('The message it shows; null where it shows none.'),
          tokens: whole.describe('Tokens of this part.'),
        }),
      )
      .describe('One entry for each of `messages`: where it comes from.'),
    dropped: z
      .array(
        z.object({
          seq: position.nullable().describe('The message; null for the system prompt.'),
          what: z.string().describe('The kind of content that was left out.'),
        }),
      )
      .describe(
        'What the requested format cannot express, and items left out with reasoning that they need, by message.',
      ),
    degraded: z
      .boolean()
      .describe('True when messages had to be left out or shortened to stay within budget.'),
    reasoning: z
      .object({
        kept: whole.describe('Blocks of reasoning that are shown.'),
        stripped: whole.describe('Blocks of reasoning that were left out.'),
        why: z
          .array(z.enum(['asked', 'other_model', 'prefix_changed', 'prefix_changed_in_tool_loop']))
          .describe('Why they were left out.'),
      })
      .describe('Blocks of signed or sealed reasoning that are shown, that are not, and why not.'),
    pending_calls: z
      .array(
        z.object({
          seq: position.describe('The message with the call.'),
          call_id: z
            .string()
            .describe(
              'As the model gave it: post the result with it, also where `messages` has another id for the call.',
            ),
          name: z.string().describe('The tool that is called.'),
        }),
      )
      .describe('Calls without a result at the end: post their results before the next model call.'),
    last_seq: position.describe('The newest message that it includes: N for `at=N`.'),
    served: z
      .object({
        at: timestamp.describe('When it was served, to the minute.'),
        exact: z.boolean().describe('False when content was erased since.'),
      })
      .nullable()
      .describe(
        'For `at=N`: when a caller was last served a context there, and whether this is that context to the letter. ' +
          'Null when none was served: then this is what would have been.',
      ),
    fingerprint: z
      .string()
      .describe(
        'Identifies exactly this context: send it with `usage`, and as `since` with the next request.',
      ),
  })
  .meta({ id: 'Context' });
