import { expect, test } from 'vitest';
import { countMessage, formats, inlineMediaIn, loadCounter, type Body, type FormatName } from '../index.js';

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
