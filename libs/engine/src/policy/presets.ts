import type { PolicyInput, PresetName } from './policy.js';

/**
 * Policies with the defaults of other systems: docs/migrating lists their settings one by one. None of these systems
 * reserves tokens for the response or requires a minimum gain of a compaction, so neither do the presets.
 */
export const presets: Record<PresetName, PolicyInput> = {
  dawn: {
    context: {
      trigger_tokens: 12_000,
      keep_recent_turns: 6,
      response_reserve: 0,
      min_reclaim_ratio: 0,
      counter: 'o200k',
    },
    summary: { enabled: false },
    outputs: {
      threshold_chars: 40_000,
      head_lines: 10,
      tail_lines: 0,
      exempt_tools: ['readFile', 'listDir'],
      ttl_ms: 3 * 60 * 60 * 1000,
      max_bytes: 256 * 1024 * 1024,
    },
  },
  chronos: {
    context: {
      trigger_ratio: 0.8,
      keep_recent_turns: 5,
      response_reserve: 0,
      min_reclaim_ratio: 0,
      counter: 'estimate',
      chars_per_token: 4,
      message_overhead: 4,
    },
    summary: { max_tokens: 1024 },
  },
  agentscope: {
    context: {
      trigger_ratio: 0.8,
      reserve_ratio: 0.1,
      response_reserve: 0,
      min_reclaim_ratio: 0,
      max_images: 5,
      archive: true,
    },
    outputs: { threshold_tokens: 3000 },
  },
};
