import { expect, test } from 'vitest';
import { countMessage, formats, loadCounter, type Body, type FormatName } from '../index.js';

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
