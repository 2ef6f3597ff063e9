/** What adapters of agent frameworks are made of. */
export { AgentThread, type ModelCall } from './agent-thread.js';
export { AgentThreads, agentDefaults, type AgentOptions } from './agent-threads.js';
export { align, type Alignment } from './align.js';
export type { Status } from './availability.js';
export { batchOf, fitsBatch, sizeOf, type MessageSize } from './requests/batch.js';
export type {
  GeminiContent,
  GeminiDeclaration,
  GeminiFunctions,
  GeminiMedia,
  GeminiPart,
} from './gemini/content.js';
export {
  functionOfUnknownCall,
  geminiContents,
  geminiHistory,
  type GeminiMessage,
} from './gemini/contents.js';
export { geminiSystem, geminiTools, isGeminiFunctions } from './gemini/request.js';
export { geminiUsage, type GeminiUsage } from './gemini/usage.js';
export { wholeAnswers } from './gemini/whole-answers.js';
export { argumentsOf, hashOf, identityOf } from './identity.js';
export { base64Of } from '../json.js';
export { fitsWithStubs, withStubs, type StubOptions } from './requests/large-messages.js';
export { ownMessages, ownResults } from './own-messages.js';
export { readerTools, type ReaderTool, type ReaderToolName } from './reader-tools.js';
