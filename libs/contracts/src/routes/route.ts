import { z } from 'zod';
import type { Scope } from '../access/key.js';
import { clientId } from '../text.js';

/** One operation of the API. The OpenAPI document is made from these; a test holds the controllers to them. */
export interface Route {
  id: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body is any text, read as a stream whatever its media type. */
  streamed?: true;
  /** Answers by status: JSON by its schema, anything else by its media types, or a choice of both. */
  answers: Record<number, z.ZodType | string | readonly (string | z.ZodType)[] | null>;
  /** The scope a key needs; `open` routes need no key, `any` takes each good one. Every route says which. */
  scope: Scope | 'open' | 'any';
  /** A second scope that a key needs beside the first. */
  alsoScope?: Scope;
  /** Shows what a thread holds: a person who reads it in the console is written into the audit log. */
  content?: true;
  /** Costs much, so it has a rate limit of its own. `heavy` ones are also bounded in how many a key runs at a time. */
  cost?: 'search' | 'heavy';
}

export const threadId = z.object({ id: clientId });
export const none = z.strictObject({});
