import { describe, expect, test } from 'vitest';
import {
  countMessage,
  entryOfMessage,
  formats,
  inlineMediaIn,
  loadCounter,
  reduceMessage,
  searchableText,
  shortenMessage,
  textOf,
  type Body,
  type FormatName,
} from '../index.js';

const counter = { text: await loadCounter('o200k'), perMessage: 4 };
const user = (...content: Body[]): Body => ({ role: 'user', content });

/** The first part of the message's content, as another format writes it. */
function as(to: FormatName, from: FormatName, part: Body): unknown {
  const [written] = formats[to].write([formats[from].read(user(part))]).bodies;
  const { content } = written!.body;
  return typeof content === 'string' ? content : (content as unknown[])[0];
}

/** A PDF with this many pages. */
const pdf = (pages: number): string =>
  Buffer.from(`%PDF-1.4\n${'<< /Type /Page /Parent 2 0 R >>\n'.repeat(pages)}%%EOF`).toString('base64');

test('a text that the AI SDK has as a file counts as a text, and is one in the other formats', () => {
  const text = 'http and https are two schemes. '.repeat(2_000);
  const file = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text } };
  const tokens = countMessage(formats['ai-sdk'].read(user(file)), counter);
  expect(tokens).toBe(countMessage(formats['ai-sdk'].read(user({ type: 'text', text })), counter));
  expect(as('openai', 'ai-sdk', file)).toBe(text);
  expect(as('anthropic', 'ai-sdk', file)).toBe(text);
  expect(as('ai-sdk', 'ai-sdk', file)).toEqual(file);
});

test.each(['filename=generated.pdf', 'name=my_plan%20b.pdf;charset=utf-8'])(
  'a data URL with parameters is data: %s',
  (parameters) => {
    const data = pdf(50);
    const url = `data:application/pdf;${parameters};base64,${data}`;
    const file = { type: 'file', mediaType: 'application/pdf', data: url };
    expect(countMessage(formats['ai-sdk'].read(user(file)), counter)).toBe(150_004);
    const source = { type: 'base64', media_type: 'application/pdf', data };
    expect(as('anthropic', 'ai-sdk', file)).toEqual({ type: 'document', source });
  },
);

test.each(['DATA:application/pdf;base64,', 'Data:application/pdf;name=a.pdf;BASE64,'])(
  'a data URL is data in any case of its words, as where it is stored: %s',
  (head) => {
    const data = pdf(300);
    const document = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } };
    const file = { filename: 'plan.pdf', file_data: `${head}${data}` };
    expect(inlineMediaIn(file.file_data)).toMatchObject({ prefix: head, subtype: 'pdf' });
    expect(as('anthropic', 'openai', { type: 'file', file })).toMatchObject(document);
    const ofAiSdk = { type: 'file', mediaType: 'application/pdf', data: file.file_data };
    expect(as('anthropic', 'ai-sdk', ofAiSdk)).toMatchObject(document);
  },
);

test('a long data URL with parameters counts in the format of OpenAI too', () => {
  const file_data = `data:application/pdf;name=my_plan%20b.pdf;base64,${pdf(300)}`;
  const part = { type: 'file', file: { filename: 'plan.pdf', file_data } };
  expect(countMessage(formats.openai.read(user(part)), counter)).toBeGreaterThan(900_000);
});

const base64Pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
const file_data = 'data:application/pdf;base64,JVBERi0=';
const url = 'https://example.com/a.pdf';

test.each<[string, FormatName, FormatName, Body, Body]>([
  [
    'data without a name get one',
    'openai',
    'anthropic',
    { type: 'document', source: base64Pdf },
    { type: 'file', file: { file_data, filename: 'file.pdf' } },
  ],
  [
    'data without a name get one',
    'responses',
    'anthropic',
    { type: 'document', source: base64Pdf },
    { type: 'input_file', file_data, filename: 'file.pdf' },
  ],
  [
    'a text without a name gets one',
    'openai',
    'ai-sdk',
    { type: 'file', data: 'aGk=', mediaType: 'text/plain' },
    { type: 'file', file: { file_data: 'data:text/plain;base64,aGk=', filename: 'file.txt' } },
  ],
  [
    'data with a name keep it',
    'responses',
    'anthropic',
    { type: 'document', source: base64Pdf, title: 'plan.pdf' },
    { type: 'input_file', file_data, filename: 'plan.pdf' },
  ],
  [
    'an address has none',
    'responses',
    'anthropic',
    { type: 'document', source: { type: 'url', url }, title: 'plan.pdf' },
    { type: 'input_file', file_url: url },
  ],
  [
    'an id has none',
    'responses',
    'openai',
    { type: 'file', file: { file_id: 'file-1', filename: 'plan.pdf' } },
    { type: 'input_file', file_id: 'file-1' },
  ],
])('names of files, which OpenAI requires or refuses: %s in %s', (_what, to, from, part, shown) => {
  expect(as(to, from, part)).toEqual(shown);
});

const jpeg = '/9j/4AAQSkZJRg==';
const asJpeg = { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${jpeg}` } };
const images: [string, Body][] = [
  ['without a media type', { type: 'image', image: jpeg }],
  ['with the kind alone', { type: 'image', image: jpeg, mediaType: 'image' }],
  ['with the kind alone, in a data URL', { type: 'image', image: asJpeg.image_url.url, mediaType: 'image' }],
  ['with a wildcard', { type: 'file', data: { type: 'data', data: jpeg }, mediaType: 'image/*' }],
];

test.each(images)(
  'an image of the AI SDK %s has the media type of its bytes in other formats',
  (_what, part) => {
    expect(as('openai', 'ai-sdk', part)).toEqual(asJpeg);
    expect(as('responses', 'ai-sdk', part)).toMatchObject({ image_url: asJpeg.image_url.url });
    const source = { type: 'base64', media_type: 'image/jpeg', data: jpeg };
    expect(as('anthropic', 'ai-sdk', part)).toEqual({ type: 'image', source });
  },
);

test.each([
  ['image/png', 'iVBORw0KGgo='],
  ['image/gif', 'R0lGODlhAQ=='],
  ['image/webp', 'UklGRgAAAABXRUJQ'],
  // No other type is known by its bytes, and OpenAI takes images alone.
  ['image/png', 'AAAAHGZ0eXBhdmlm'],
])('the bytes of an image say that it is %s', (type, data) => {
  expect(as('openai', 'ai-sdk', { type: 'image', image: data })).toMatchObject({
    image_url: { url: `data:${type};base64,${data}` },
  });
});

test('a media type that is named in full stays, and so does the address of an image', () => {
  const named = { type: 'image', image: jpeg, mediaType: 'image/png' };
  expect(as('openai', 'ai-sdk', named)).toMatchObject({
    image_url: { url: `data:image/png;base64,${jpeg}` },
  });
  const address = { type: 'image', image: 'https://example.com/a.jpg', mediaType: 'image/*' };
  expect(as('openai', 'ai-sdk', address)).toMatchObject({ image_url: { url: address.image } });
});

const ofAnthropic = { type: 'file', file_id: 'file_011CNha8iCJcU1wXNR6q4V8w' };
const reference = { type: 'reference', reference: { anthropic: 'file_011CNha8iCJcU1wXNR6q4V8w' } };
test.each<[FormatName, Body, string]>([
  ['anthropic', { type: 'image', source: ofAnthropic }, 'image'],
  ['anthropic', { type: 'document', source: ofAnthropic }, 'file'],
  ['ai-sdk', { type: 'file', mediaType: 'application/pdf', data: reference }, 'file'],
  ['ai-sdk', { type: 'file', mediaType: 'image/png', data: reference }, 'image'],
])('OpenAI is not sent the id of a file that it does not have: of %s', (from, part, kind) => {
  for (const to of ['openai', 'responses'] as const) {
    const written = formats[to].write([formats[from].read(user({ type: 'text', text: 'see' }, part))]);
    const { content } = written.bodies[0]!.body as { content: Body[] };
    expect(content[1]!.text).toBe(`[${kind} not shown]`);
    expect(written.dropped).toEqual([{ from: 0, what: expect.stringContaining(kind) as string }]);
  }
});

test.each([
  ['image/jpg', jpeg, 'image/jpeg'],
  ['image/png', jpeg, 'image/jpeg'],
  ['image/jpg', 'AAAA', 'image/jpeg'],
  ['image/webp', 'AAAA', 'image/webp'],
])('an image as %s has a media type that Anthropic takes: its bytes say which (%s)', (type, data, shown) => {
  const image_url = `data:${type};base64,${data}`;
  expect(as('anthropic', 'responses', { type: 'input_image', image_url })).toEqual({
    type: 'image',
    source: { type: 'base64', media_type: shown, data },
  });
});

describe('a document of texts', () => {
  const chunk = (text: string) => ({ type: 'text', text });
  const document = (content: unknown): Body => ({
    type: 'document',
    title: 'Manual',
    source: { type: 'content', content },
  });

  test('is a text in other formats, and stays what it is in its own', () => {
    const chunks = document([chunk('Turn it on.'), chunk('Wait.')]);
    for (const to of ['openai', 'responses', 'ai-sdk'] as const) {
      expect(as(to, 'anthropic', chunks)).toBe('Turn it on.\nWait.');
      expect(as(to, 'anthropic', document('Turn it on.'))).toBe('Turn it on.');
    }
    expect(as('anthropic', 'anthropic', chunks)).toEqual(chunks);
  });

  test('keeps its start and its end where it is shortened', () => {
    const long = formats.anthropic.read(
      user(document([chunk(`first ${'word '.repeat(2_000)}`), chunk('last')])),
    );
    const text = textOf(shortenMessage(long, 200, counter));
    expect(text).toMatch(/^first [^]*tokens not shown[^]*last$/);
  });

  const picture = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8_192) },
  };
  const pictured = document([chunk('See:'), picture, chunk('Turn it on.'), picture]);

  test('with pictures in it counts as its texts and its pictures', () => {
    const alone = formats.anthropic.read(user(chunk('See:'), picture, chunk('Turn it on.'), picture));
    const message = formats.anthropic.read(user(pictured));
    expect(countMessage(message, counter)).toBe(countMessage(alone, counter));
    expect(countMessage(message, counter)).toBeGreaterThan(2_000);
    const inResult = { type: 'tool_result', tool_use_id: 'a', content: [pictured] };
    for (const body of [user(pictured), user(inResult)]) {
      const read = formats.anthropic.read(body);
      const entry = entryOfMessage(read, { seq: 1, tokens: 1, pinned: false, format: 'anthropic' });
      expect(entry.images).toBe(2);
      expect(textOf(read)).toBe('See:\nTurn it on.');
      expect(searchableText(read)).toContain('Turn it on.');
    }
  });

  test('with pictures in it is its texts and pictures in other formats, and stays what it is in its own', () => {
    const message = formats.anthropic.read(user(pictured));
    for (const [to, image] of [
      ['openai', 'image_url'],
      ['responses', 'input_image'],
      ['ai-sdk', 'image'],
    ] as const) {
      const { bodies, dropped } = formats[to].write([message]);
      const content = bodies[0]!.body.content as Body[];
      expect(content).toMatchObject([
        { text: 'See:' },
        { type: image },
        { text: 'Turn it on.' },
        { type: image },
      ]);
      expect(dropped).toEqual([]);
    }
    expect(formats.anthropic.write([message]).bodies[0]!.body).toEqual(user(pictured));
  });

  test('whose first picture is too old stays a document, with a note in the place of the picture', () => {
    const inResult = { type: 'tool_result', tool_use_id: 'a', content: [pictured] };
    for (const block of [pictured, inResult]) {
      const reduced = reduceMessage(formats.anthropic.read(user(block)), 7, { images: 1, cleared: false });
      const { body } = formats.anthropic.write([reduced]).bodies[0]!;
      const [first] = body.content as [Body];
      const shown = block === inResult ? (first.content as Body[])[0] : first;
      expect(shown).toEqual({
        ...pictured,
        source: {
          type: 'content',
          content: [
            chunk('See:'),
            chunk('[An older image of message 7 is not shown here.]'),
            chunk('Turn it on.'),
            picture,
          ],
        },
      });
    }
  });

  test('with pictures in it keeps its texts where it is shortened', () => {
    const message = formats.anthropic.read(user(document([chunk('See: '.repeat(900)), picture])));
    expect(textOf(shortenMessage(message, 200, counter))).toMatch(/^See: [^]*image not shown/);
  });
});
