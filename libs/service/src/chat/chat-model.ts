import { SpillwayError } from '@spillway/engine';
import type { LlmSettings } from '@spillway/llm';

/** Models that a turn of /chat may use with this server's key. */
export interface ChatModels {
  llm: LlmSettings;
  /** SPILLWAY_CHAT_MODELS; empty when it is not set. */
  listed: ReadonlySet<string>;
}

/**
 * Returns the model to call: the requested one, else the thread's, else the server's. With a list, only listed models
 * and the server's own are allowed. Without a list, a caller can only choose the thread's and the server's. Throws
 * `invalid_request`.
 */
export function chatModel(
  asked: string | null,
  ofThread: string | null,
  { llm, listed }: ChatModels,
): string | null {
  const model = asked ?? ofThread ?? llm.model;
  const isAllowed =
    model === null || model === llm.model || (listed.size > 0 ? listed.has(model) : model === ofThread);
  if (isAllowed) return model;
  throw new SpillwayError('invalid_request', `The model ${model} is not allowed for chat.`, [
    { path: '/model', message: 'is not in SPILLWAY_CHAT_MODELS' },
  ]);
}
