import { z } from 'zod';
import { plainText } from './text.js';

const tokens = z.number().int().min(1).max(100_000_000);

/** A policy as written at one level (server, project, thread, call). Every key is optional; unknown keys are refused. */
export const policyInput = z
  .strictObject({
    preset: z
      .enum(['dawn', 'chronos', 'agentscope'])
      .describe("Starts this level from another system's defaults; the keys beside it win."),
    context: z
      .strictObject({
        context_window: tokens.nullable(),
        max_tokens: tokens
          .nullable()
          .describe('Absolute trigger in tokens; replaces trigger_ratio x window.'),
        trigger_ratio: z.number().gt(0).lte(0.9),
        reserve_ratio: z.number().min(0).lt(0.9),
        keep_recent_turns: z.number().int().min(0).max(10_000).nullable(),
        output_reserve: z.number().int().min(0).max(100_000_000),
        counter: z.enum(['o200k', 'cl100k', 'estimate']),
        chars_per_token: z.number().gt(0).lte(16),
        message_overhead: z.number().int().min(0).max(1000),
        max_images: z.number().int().min(0).max(1000),
        keep_tool_results: z.number().int().min(0).max(10_000).nullable(),
        min_reclaim_ratio: z.number().min(0).lte(1),
        archive: z.boolean(),
      })
      .partial(),
    summary: z
      .strictObject({
        enabled: z.boolean(),
        provider: z.enum(['extractive', 'openai-compatible', 'openai', 'anthropic', 'google']),
        model: plainText(200).nullable(),
        max_tokens: z.number().int().min(64).max(100_000),
        prompt: plainText(20_000).nullable(),
        template: plainText(20_000).nullable(),
        schema: z.record(z.string(), z.unknown()).nullable(),
        input: z.enum(['transcript', 'continuation']),
        timeout_ms: z.number().int().min(100).max(600_000),
        extractive_after_ms: z.number().int().min(0).max(31_536_000_000).nullable(),
      })
      .partial(),
    outputs: z
      .strictObject({
        limit_tokens: z.number().int().min(1).max(100_000_000),
        threshold_chars: z.number().int().min(1).max(1_000_000_000).nullable(),
        head_lines: z.number().int().min(0).max(1000),
        tail_lines: z.number().int().min(0).max(1000),
        preview_tokens: z.number().int().min(0).max(100_000),
        exempt_tools: z.array(plainText(200)).max(1000),
        ttl_ms: z.number().int().min(1000).max(31_536_000_000_000),
        max_bytes: z.number().int().min(0).max(9_007_199_254_740_991),
      })
      .partial(),
  })
  .partial()
  .meta({ id: 'PolicyInput' });

/** The project's policy: what was set, and what applies once defaults are merged in. */
export const projectPolicy = z
  .object({ policy: policyInput, effective: z.record(z.string(), z.unknown()) })
  .meta({ id: 'ProjectPolicy' });
