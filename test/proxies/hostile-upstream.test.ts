import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timesInTurn } from '../times-in-turn.js';
import { model, user } from './proxy-rig.js';
import type { Answer } from './recorded-provider.js';
import { startUpstreamRig, type UpstreamRig } from './upstream-rig.js';

let rig: UpstreamRig;
beforeAll(async () => {
  rig = await startUpstreamRig();
  await rig.put(rig.keys.first, 'openai', { base_url: `${rig.first.url}/v1` });
  await rig.put(rig.keys.first, 'anthropic', { base_url: `${rig.first.url}/v1` });
});
afterAll(() => rig?.stop());

const streams = (response: ServerResponse, events: readonly object[], end: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}${end}`);
};
const many = (n: number, item: (i: number) => object): object[] =>
  Array.from({ length: n }, (_, i) => item(i));
const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields }] });
const done = 'data: [DONE]\n\n';

/** Streams of a number of pieces, each of which could be looked for or copied once for each piece before it. */
const shapes: [string, string, pieces: number, (n: number) => Answer][] = [
  [
    'a piece that is a list of items',
    'chat/completions',
    5_000,
    (n) => (response) => {
      const items = many(n, (index) => ({ index }));
      streams(response, [delta({ role: 'assistant', x: [{ index: -1 }] }), delta({ x: items })], done);
    },
  ],
  [
    'pieces that each add a field',
    'chat/completions',
    1_500,
    (n) => (response) =>
      streams(
        response,
        many(n, (i) => delta({ [`f${i}`]: 1 })),
        done,
      ),
  ],
  [
    'citations',
    'messages',
    5_000,
    (n) => (response) => {
      const start = { type: 'content_block_start', content_block: { type: 'text', text: 'a' } };
      const cited = { type: 'content_block_delta', delta: { type: 'citations_delta', citation: 1 } };
      streams(response, [start, ...many(n, () => cited)], '');
    },
  ],
];

describe("A121 a stream of four times as many pieces from a project's own upstream takes four times as long", () => {
  test.each(shapes)('%s', async (_what, path, pieces, answer) => {
    const call = async (n: number): Promise<void> => {
      rig.first.answer = answer(n);
      const body = { model, max_tokens: 9, stream: true, messages: [user('a')] };
      const sent = await rig.post(rig.keys.first, path, body);
      expect(sent.status).toBe(200);
      await sent.text();
    };
    const [few, fourfold] = await timesInTurn(
      3,
      () => call(pieces),
      () => call(4 * pieces),
    );
    expect(fourfold).toBeLessThan(8 * few!);
  });
});

/** Replies of more bytes, or of more values, than a message may have. */
const values = `[${'{},'.repeat(400_000)}{}]`;
const tooLarge: [string, string, string][] = [
  ['of 9 MiB', 'application/json', completionOf(JSON.stringify('word '.repeat(1_900_000)))],
  ['of 400,000 values', 'application/json', completionOf('"few"', `"x":${values},`)],
  [
    'of 400,000 values in a stream',
    'text/event-stream',
    `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"few","x":${values}}}]}\n\ndata: [DONE]\n\n`,
  ],
];

function completionOf(content: string, more = ''): string {
  return `{"choices":[{"index":0,"message":{"role":"assistant",${more}"content":${content}}}]}`;
}

describe('A124 a reply is passed on byte for byte and not recorded when it is larger than a message', () => {
  test.each(tooLarge)('%s', async (what, type, answer) => {
    rig.first.answer = (response) => {
      response.writeHead(200, { 'content-type': type }).end(answer);
    };
    const headers = { 'spillway-thread': `large-${what.replaceAll(/\W/g, '-')}` };
    const body = { model, messages: [user('a')] };
    const sent = await rig.post(rig.keys.first, 'chat/completions', body, { headers });
    expect(sent.status).toBe(200);
    expect((await sent.text()) === answer).toBe(true);
    const { messages } = await rig.apis.first.context(headers['spillway-thread']);
    expect(messages).toEqual([user('a')]);
  });
});
