export { createSpillway, type PiSpillway } from './spillway.js';
export type { PiExtensionApi } from './pi.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
