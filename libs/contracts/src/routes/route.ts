import { z } from 'zod';
import type { Scope } from '../access/key.js';
import { clientId } from '../text.js';

/**
 * One operation of the API. The OpenAPI document is generated from these; a test compares the controllers with them.
 */
export interface Route {
  id: string;
  summary: string;
  /** One to three sentences: what it does, what it answers, what a caller must know. Shown in the OpenAPI document. */
  description: string;
  /** A request as a caller would send it: shown in the OpenAPI document and sent by tests. */
  example?: RouteExample;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The body is any text, streamed whatever its media type. */
  streamed?: true;
  /** Responses by status: a schema for JSON, media types for anything else, or both. */
  answers: Record<number, z.ZodType | string | readonly (string | z.ZodType)[] | null>;
  /** Errors in the form of a provider or a protocol, as `application/json`. All others are problem documents. */
  foreignErrors?: z.ZodType;
  /**
   * The required scope; `open` routes need no key, `any` accepts every valid key, `operator` takes the operator's password
   * and no key. Every route has one.
   */
  scope: Scope | 'open' | 'any' | 'operator';
  /** A second required scope. */
  alsoScope?: Scope;
  /** Shows content of a thread: a read by a person in the console is recorded in the audit log. */
  content?: true;
  /**
   * Speaks a provider's API: takes the key where the provider's SDK puts it, or in `Spillway-Key` beside the caller's
   * own. `google`: all errors have the form of Google's.
   */
  proxy?: true | 'google';
  /** Expensive, with a rate limit of its own. `heavy` ones also have a concurrency limit per key. */
  cost?: 'search' | 'heavy';
}

export interface RouteExample {
  /** JSON, or the text of a streamed body. */
  body?: unknown;
  /** Values by name; a URL has them as text. */
  query?: Readonly<Record<string, string | number | boolean>>;
}

export const threadId = z.object({
  id: clientId.describe(
    'The id of the thread. It stays when the thread is erased, so it should name no person.',
  ),
});
export const none = z.strictObject({});
