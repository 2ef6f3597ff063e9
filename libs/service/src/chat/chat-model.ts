import { SpillwayError } from '@spillway/engine';
import type { LlmSettings } from '@spillway/llm';

/** The models that a turn of /chat may ask on this server's key. */
export interface ChatModels {
  llm: LlmSettings;
  /** SPILLWAY_CHAT_MODELS; empty when it is not set. */
  listed: ReadonlySet<string>;
}

/**
 * Returns the model that answers: the one asked for, else the thread's own, else the server's. With a list, only a
 * listed model and the server's own answer. Without one, a caller cannot choose any but the thread's and the
 * server's. Throws `invalid_request`.
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
  throw new SpillwayError('invalid_request', `The model ${model} may not be used for chat.`, [
    { path: '/model', message: 'is not in SPILLWAY_CHAT_MODELS' },
  ]);
}
