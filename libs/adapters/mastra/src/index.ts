export { createSpillway, type MastraSpillway } from './spillway.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
