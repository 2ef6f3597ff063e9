export { createSpillway, type ClaudeAgentSpillway, type ClaudeAgentThread } from './spillway.js';
export type { ClaudeAgentOptions } from './spillway.js';
export type { Sdk } from './sdk.js';
export type { Status } from '@spillway/client/agent';
