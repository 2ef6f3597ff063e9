export { createSpillway, type AiSdkSpillway } from './spillway.js';
export type { AiSdkThread, ThreadOptions } from './thread.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
