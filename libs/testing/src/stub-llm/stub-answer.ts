import type { WireFault } from './wire-faults.js';

export interface StubCall {
  model: string;
  system: string;
  /** The first message of the user. */
  prompt: string;
  /** The whole request: messages, tools, response_format ... */
  body: { messages: { role: string; content: unknown }[]; [key: string]: unknown };
  at: number;
  /** True once the caller disconnected before the answer. */
  hungUp: boolean;
}

export interface StubAnswer {
  status?: number;
  /** The provider's words about a status that is not 200. */
  error?: string;
  headers?: Record<string, string>;
  delayMs?: number;
  /** The answer is sent when this settles. */
  after?: Promise<void>;
  /** The assistant's text; an object is sent as JSON. */
  content?: unknown;
  /** `length` for a truncated answer. */
  finishReason?: string;
  /** The model declines, with the reason here instead of in the content. */
  refusal?: string;
  /** The reported usage; default: one token each way. */
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  };
  /** How the answer is damaged on its way. */
  fault?: WireFault;
}

/** Five fields that identify the call they answer. */
export const plainFields = (call: StubCall) => ({
  task_overview: `Task as seen by ${call.model}.`,
  current_state: `The transcript had ${call.prompt.length} characters.`,
  important_discoveries: 'None.',
  next_steps: 'Go on.',
  context_to_preserve: 'Nothing.',
});
