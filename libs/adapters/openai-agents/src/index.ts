export { createSpillway, type OpenAIAgentsSpillway } from './spillway.js';
export type { SessionOptions, SpillwaySession } from './session.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
