import type { Random } from '@spillway/testing';
import type { Reply } from '../serial-order.js';
import type { ModelThread } from '../thread-model.js';

/** A request that clients send, at once or again. */
export interface Request {
  method: string;
  /** After the address of the thread. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** The fork that it makes. */
  fork?: string;
  /** Another thread than that of the client. */
  of?: string;
  step: (thread: ModelThread, reply: Reply) => ModelThread | null;
  /** What the answer says of the context, read after the request was done. */
  also?: (thread: ModelThread, reply: Reply) => ModelThread | null;
}

/** A client of one thread: what it sends follows from a seed. */
export interface Client {
  random: Random;
  /** The id of the thread. */
  thread: string;
  /** Only the clients make summaries, so that the model knows each of them. */
  strict: boolean;
  /** What each message says after its id. */
  words: string;
  /** Another number at each call, for ids. */
  number: () => number;
}

export function newClient(random: Random, thread: string, strict: boolean): Client {
  let count = 0;
  const words = 'All work and no play makes a dull thread. '.repeat(strict ? 6 : 14);
  return { random, thread, strict, words, number: () => count++ };
}

interface Problem {
  code: string;
}

export const bodyOf = <T>({ body }: Reply): T => body as T;
export const isOk = ({ status }: Reply): boolean => status >= 200 && status < 300;
/** Nothing was done: the thread changed during each of several tries, or too many such requests were in progress. */
export const isBusy = (reply: Reply): boolean => isRefused(reply, 'thread_busy', 'too_many_requests');
export const isRefused = (reply: Reply, ...codes: string[]): boolean =>
  reply.status >= 400 && codes.includes(bodyOf<Problem>(reply).code);

export const when = (is: boolean, thread: ModelThread): ModelThread | null => (is ? thread : null);
export const sameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i]);
