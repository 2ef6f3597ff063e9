import { z } from 'zod';
import type { Scope } from '../key.js';
import { clientId } from '../text.js';

/** One operation of the API. The OpenAPI document is made from these; a test holds the controllers to them. */
export interface Route {
  id: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Answers by status; strings are the media types of an answer that is not JSON. */
  answers: Record<number, z.ZodType | string | readonly string[] | null>;
  /** What a key needs to come in; `open` needs none, `any` a good one. There is no route without a word here. */
  scope: Scope | 'open' | 'any';
  /** Shows what a thread holds: a person who reads it in the console is written into the audit log. */
  content?: true;
}

export const threadId = z.object({ id: clientId });
export const none = z.strictObject({});
