export { createSpillway, type AdkSpillway, type AdkSpillwayOptions } from './spillway.js';
export type { Context } from './adk.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
