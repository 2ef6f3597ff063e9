import { beforeAll, describe, expect, test } from 'vitest';
import {
  assembleContext,
  countMessage,
  entryOfMessage,
  formats,
  loadCounter,
  outlineContext,
  reduceMessage,
  type Body,
  type Context,
  type MessageCounter,
} from '../index.js';

let counter: MessageCounter;
beforeAll(async () => {
  counter = { text: await loadCounter('o200k'), perMessage: 4 };
});

const data = Buffer.from(Uint8Array.from({ length: 1_050_000 }, (_, i) => (i * 7919) >> 3)).toString(
  'base64',
);
const user = (content: string): Body => ({ type: 'message', role: 'user', content });
const image = (id: number): Body => ({
  type: 'image_generation_call',
  id: `ig_${id}`,
  status: 'completed',
  result: data,
});

function contextOf(bodies: Body[], maxImages = 5): Context {
  const recent = bodies.map((body, i) => {
    const message = formats.responses.read(body);
    const tokens = countMessage(message, counter);
    return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format: 'responses' });
  });
  const asked = { systemTokens: 0, leading: [], carried: [], summary: null, clearedThrough: 0 };
  const outlined = outlineContext({ ...asked, limit: 100_000, recent, maxImages });
  if (!outlined.fits) throw new Error(`does not fit: ${outlined.minimum}`);
  const stored = bodies.map((body, i) => [i + 1, { format: 'responses' as const, body }] as const);
  return assembleContext(outlined.outline, new Map(stored), {
    target: 'responses',
    counter,
    alternate: false,
  });
}

describe('images that OpenAI generated', () => {
  test('stay as posted, because each takes the tokens of one image', () => {
    const thread = [user('Draw a cat.'), image(1), user('Now a dog.')];
    const context = contextOf(thread);
    expect(context.degraded).toBe(false);
    expect(context.messages).toEqual(thread);
    expect(context.parts.reduce((sum, part) => sum + part.tokens, 0)).toBeLessThan(2_000);
  });

  test('are among the images that max_images bounds: a note stands in place of older ones', () => {
    const thread = [1, 2, 3].flatMap((n) => [user(`Draw cat ${n}.`), image(n)]);
    const { messages, dropped } = contextOf(thread, 1);
    const note = (seq: number): Body => ({
      type: 'message',
      role: 'assistant',
      content: `[An older image of message ${seq} is not shown here.]`,
    });
    expect(messages).toEqual([thread[0], note(2), thread[2], note(4), thread[4], thread[5]]);
    expect(dropped).toEqual([]);
  });

  test('are named in a note once they are no longer stored', () => {
    const message = reduceMessage(formats.responses.read(image(1)), 2, {
      images: 0,
      cleared: false,
      lost: true,
    });
    expect(formats.responses.write([message]).bodies.map(({ body }) => body)).toEqual([
      { type: 'message', role: 'assistant', content: '[The image of message 2 is no longer stored.]' },
    ]);
  });
});
