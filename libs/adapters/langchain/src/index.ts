export { createSpillway, type LangChainSpillway } from './spillway.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
