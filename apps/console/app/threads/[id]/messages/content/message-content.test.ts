import {
  callsOf,
  formats,
  resultsOf,
  textOf,
  type Body,
  type FormatName,
  type Message,
} from '@spillway/engine';
import { loadSamples } from '@spillway/testing';
import { describe, expect, test } from 'vitest';
import { readContent } from './message-content';

const names = Object.keys(formats) as FormatName[];
/** Recorded threads, each in the format that it was recorded in. */
const threads = names.flatMap((format) => loadSamples(format).map((thread) => ({ ...thread, format })));

/** A thread in a format: as recorded, or translated by the engine. */
const inFormat = ({ format, messages }: (typeof threads)[number], to: FormatName): Body[] =>
  format === to
    ? messages
    : formats[to].write(messages.map((body) => formats[format].read(body))).bodies.map(({ body }) => body);

/** What the engine reads of a message, as the console shows it. */
const asShown = (message: Message) => ({
  calls: callsOf(message).map(({ id, name, input }) => ({ id, name, input: valueOf(input) })),
  answers: resultsOf(message).map(({ callId }) => callId),
  text: textOf(message),
});

/** Formats write JSON with other spaces. */
function valueOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

describe('the console reads a message as the engine does', () => {
  test.each(names)('in the format %s', (format) => {
    let calls = 0;
    for (const thread of threads)
      for (const body of inFormat(thread, format)) {
        const { toolCalls, answers, text } = readContent(body);
        const read = toolCalls.map(({ id, name, arguments: input }) => ({ id, name, input: valueOf(input) }));
        expect(
          { calls: read, answers, text },
          `${thread.name}: ${JSON.stringify(body).slice(0, 300)}`,
        ).toEqual(asShown(formats[format].read(body)));
        calls += toolCalls.length;
      }
    expect(calls).toBeGreaterThan(100);
  });
});
