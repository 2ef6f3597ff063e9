import type { WireFault } from './wire-faults.js';

export interface StubCall {
  model: string;
  system: string;
  /** The first message of the user. */
  prompt: string;
  /** All of the request: messages, tools, response_format ... */
  body: { messages: { role: string; content: unknown }[]; [key: string]: unknown };
  at: number;
  /** True once the caller closed the connection before it was answered. */
  hungUp: boolean;
}

export interface StubAnswer {
  status?: number;
  headers?: Record<string, string>;
  delayMs?: number;
  /** The answer is sent when this settles. */
  after?: Promise<void>;
  /** The assistant's text; an object is sent as JSON. */
  content?: unknown;
  /** `length` when the answer was cut off. */
  finishReason?: string;
  /** The model declines, and says why here instead of in the content. */
  refusal?: string;
  /** What it says the call took; one token each way when left out. */
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  };
  /** How the answer goes wrong on its way. */
  fault?: WireFault;
}

/** Five fields that say which call they answer. */
export const plainFields = (call: StubCall) => ({
  task_overview: `Task as seen by ${call.model}.`,
  current_state: `The transcript had ${call.prompt.length} characters.`,
  important_discoveries: 'None.',
  next_steps: 'Go on.',
  context_to_preserve: 'Nothing.',
});
