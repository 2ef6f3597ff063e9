export { createSpillway, type Configured, type GenAiSpillway, type GenAiThread } from './spillway.js';
export type { CallableTool, Config, Declaration, Declarations, FunctionCall, FunctionPart } from './sdk.js';
export type { Tool } from './tools.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
