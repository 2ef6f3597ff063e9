export {
  createSpillway,
  type Sdk,
  type StrandsPlugin,
  type StrandsSpillway,
  type StrandsSpillwayOptions,
} from './spillway.js';
export type { AgentOptions, Status } from '@spillway/client/agent';
