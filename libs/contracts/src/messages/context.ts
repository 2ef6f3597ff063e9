import { z } from 'zod';
import { summaryMethod } from '../compaction/compaction.js';
import { messageFormat } from '../formats/message-format.js';
import { timestamp } from '../text.js';

export const context = z
  .object({
    format: messageFormat,
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
    system: z.string().nullable(),
    tools: z
      .array(z.looseObject({}))
      .optional()
      .describe(
        'With tools=true: the tools that read outputs and earlier messages back, to send beside your own.',
      ),
    tokens: z.object({
      total: z.number().int(),
      system: z.number().int(),
      summary: z.number().int(),
      recent: z.number().int(),
    }),
    budget: z.object({
      context_window: z.number().int(),
      limit: z.number().int(),
      trigger: z.number().int(),
    }),
    summary: z
      .object({
        generation: z.number().int(),
        from_seq: z.number().int(),
        to_seq: z.number().int(),
        method: summaryMethod,
      })
      .nullable(),
    elided: z.array(
      z.object({
        from_seq: z.number().int(),
        to_seq: z.number().int(),
        reason: z.enum(['over_budget', 'shortened']),
      }),
    ),
    parts: z
      .array(
        z.object({
          kind: z.enum(['system', 'carried', 'summary', 'recent', 'note']),
          seq: z.number().int().nullable(),
          tokens: z.number().int(),
        }),
      )
      .describe('One entry for each of `messages`: where it comes from.'),
    dropped: z
      .array(z.object({ seq: z.number().int().nullable(), what: z.string() }))
      .describe('What the requested format cannot express, by message.'),
    degraded: z
      .boolean()
      .describe('True when messages had to be left out or shortened to stay within budget.'),
    reasoning: z
      .object({
        kept: z.number().int(),
        stripped: z.number().int(),
        why: z.array(z.enum(['asked', 'other_model', 'prefix_changed', 'prefix_changed_in_tool_loop'])),
      })
      .describe('Blocks of signed or sealed reasoning that are shown, that are not, and why not.'),
    pending_calls: z
      .array(z.object({ seq: z.number().int(), call_id: z.string(), name: z.string() }))
      .describe('Calls without a result at the end: post their results before the next model call.'),
    last_seq: z.number().int().describe('The newest message that it includes: N for `at=N`.'),
    served: z
      .object({ at: timestamp, exact: z.boolean() })
      .nullable()
      .describe(
        'For `at=N`: when a caller was last served a context there, and whether this is that context to the letter. ' +
          'Null when none was served: then this is what would have been.',
      ),
    fingerprint: z.string(),
  })
  .meta({ id: 'Context' });
