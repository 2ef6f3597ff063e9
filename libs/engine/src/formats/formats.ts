import type { Body, Message } from '../messages/message.js';
import { aiSdk } from './ai-sdk/ai-sdk.js';
import { anthropic } from './anthropic/anthropic.js';
import type { Format } from './format.js';
import type { FormatName } from '../messages/format-name.js';
import { openai } from './openai/openai.js';
import { responses } from './responses/responses.js';

/** All message formats. A new one is a folder here and an entry below. */
export const formats: Record<FormatName, Format> = { openai, responses, anthropic, 'ai-sdk': aiSdk };

/** A body with the format it was posted in. */
export interface Stored {
  format: FormatName;
  body: Body;
}

export const readMessage = ({ format, body }: Stored): Message => formats[format].read(body);
