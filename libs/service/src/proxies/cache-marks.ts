import type { Body } from '@spillway/engine';
import { isObject } from './wire-api.js';

/**
 * Anthropic's marks of the prefix to cache, which gateways take in OpenAI's chat completions too. Callers put them at
 * the end of the conversation, so that they move from call to call, and four are taken.
 */
const name = 'cache_control';

const contentOf = ({ content }: Body): Body[] => (Array.isArray(content) ? content.filter(isObject) : []);

/** A message without marks: they say nothing about the conversation. */
export function withoutMarks(message: Body): Body {
  const { [name]: _, ...rest } = message;
  // A result of Anthropic has content of its own, with marks of its own.
  return Array.isArray(rest.content)
    ? {
        ...rest,
        content: rest.content.map((part) => (isObject(part) ? withoutMarks(part) : (part as unknown))),
      }
    : rest;
}

/** The newest mark of a conversation; undefined without any. */
export function newestMark(messages: readonly Body[]): unknown {
  for (const message of messages.toReversed()) {
    const mark = newestMark(contentOf(message)) ?? message[name];
    if (mark !== undefined && mark !== null) return mark;
  }
  return undefined;
}

/** Marks the end of the conversation as the prefix to cache: the caller asked for it at its own end. */
export function markLast(messages: readonly Body[], mark: unknown): Body[] {
  const last = messages.at(-1);
  if (!last || mark === undefined) return [...messages];
  const { content: text } = last;
  const parts = typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : contentOf(last);
  // There is nothing to mark in a message of calls alone.
  if (parts.length === 0) return [...messages];
  const content = [...parts.slice(0, -1), { ...parts.at(-1), [name]: mark }];
  return [...messages.slice(0, -1), { ...last, content }];
}
