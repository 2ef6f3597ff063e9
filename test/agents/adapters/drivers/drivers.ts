import { adk } from './adk.js';
import { aiSdk } from './ai-sdk.js';
import { anthropic } from './anthropic.js';
import type { Driver } from './driver.js';
import { googleGenAi } from './google-genai.js';
import { langchain } from './langchain.js';
import { mastra } from './mastra.js';
import { openaiAgents } from './openai-agents.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import { strands } from './strands.js';

/** Every adapter: a package in libs/adapters without a driver fails `npm run check`. */
export const drivers: readonly Driver[] = [
  adk,
  aiSdk,
  anthropic,
  googleGenAi,
  langchain,
  mastra,
  openaiAgents,
  opencode,
  pi,
  strands,
];
