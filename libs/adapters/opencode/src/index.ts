export { createSpillway, type OpencodeSpillway } from './spillway.js';
export type { OpencodePlugin } from './opencode.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
