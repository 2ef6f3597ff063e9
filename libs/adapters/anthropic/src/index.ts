export { createSpillway, type AnthropicSpillway, type AnthropicThread } from './spillway.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
