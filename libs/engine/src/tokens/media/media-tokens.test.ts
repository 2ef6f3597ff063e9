import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { threadMsOf } from '../../../../../test/thread-time.js';
import { mediaMark, mediaTokens, mediaTokensOf, tokensOfBytes, type MediaPart } from '../../index.js';

const pageObjects = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<< /Type /Page /Parent 2 0 R /Contents ${i + 10} 0 R >>\n`).join(
    '',
  );
const tree = (count: number): string => `<< /Type /Pages /Count ${count} >> << /Type/PageLabel >>\n`;

/** As files before version 1.5 are, and those of Chromium. */
const openPdf = (pages: number): Buffer =>
  Buffer.from(`%PDF-1.4\n1 0 obj ${tree(pages)} endobj\n2 0 obj ${pageObjects(pages)} endobj\n%%EOF`);

/** As Word, LaTeX and Acrobat write them: the objects are in compressed streams. */
const packedPdf = (...streams: string[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...streams.flatMap((objects, i) => {
      const data = deflateSync(objects);
      const head = `${i} 0 obj << /Type /ObjStm /N 3 /First 12 /Filter /FlateDecode /Length ${data.length} >>`;
      return [Buffer.from(`${head}\nstream\r\n`), data, Buffer.from('\nendstream endobj\n')];
    }),
    Buffer.from('%%EOF'),
  ]);

describe('a PDF counts by its pages', () => {
  test.each([1, 12, 600])('%i pages that stand open, and the same ones in compressed objects', (pages) => {
    expect(tokensOfBytes(openPdf(pages))).toBe(pages * 3000);
    expect(tokensOfBytes(packedPdf(tree(pages), pageObjects(pages)))).toBe(pages * 3000);
  });

  test('one whose pages cannot be seen counts by its size', () => {
    const head = Buffer.from('%PDF-1.7\n');
    const encrypted = Buffer.alloc(200_000, 0x9c);
    expect(tokensOfBytes(Buffer.concat([head, encrypted]))).toBe(11 * 3000);
  });

  test('one made to unpack without end is read for a bounded time', () => {
    const one = packedPdf(' '.repeat(8_000_000));
    const bomb = Buffer.concat(Array.from({ length: 200 }, () => one));
    const took = threadMsOf(() => expect(tokensOfBytes(bomb)).toBeGreaterThan(0));
    expect(took).toBeLessThan(2_000);
  });

  test('one that claims more pages than any window holds makes no larger number', () => {
    expect(tokensOfBytes(openPdf(5_000))).toBe(4_000_000);
  });
});

describe('audio and video count by the time that they play', () => {
  const wave = (seconds: number): Buffer => {
    const head = Buffer.alloc(44);
    head.write('RIFF', 0);
    head.write('WAVEfmt ', 8);
    head.writeUInt32LE(32_000, 28);
    return Buffer.concat([head, Buffer.alloc(seconds * 32_000)]);
  };
  /** The boxes of an MP4 that say how long it is and what it holds. */
  const movie = (seconds: number, handler: 'vide' | 'soun', long = false): Buffer => {
    const header = Buffer.alloc(long ? 112 : 100);
    header.write('mvhd', 0);
    header[4] = long ? 1 : 0;
    header.writeUInt32BE(1_000, long ? 24 : 16);
    header.writeUInt32BE(seconds * 1_000, long ? 32 : 20);
    const type = Buffer.from(`\0\0\0\x18ftypisom\0\0\0\0hdlr\0\0\0\0\0\0\0\0${handler}`, 'latin1');
    return Buffer.concat([type, header]);
  };

  test.each([
    ['a minute of WAV', wave(60), 60 * 32],
    ['ten minutes of video', movie(600, 'vide'), 600 * 263],
    ['the same with 64-bit times', movie(600, 'vide', true), 600 * 263],
    ['an hour of speech in an MP4', movie(3600, 'soun'), 3600 * 32],
  ])('%s', (_what, bytes, tokens) => {
    expect(Math.abs(tokensOfBytes(bytes) - tokens)).toBeLessThanOrEqual(2);
  });

  test.each([
    ['an MP3', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(480_000)]), 1920],
    ['an MP3 without a tag', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90]), Buffer.alloc(480_000)]), 1920],
    ['a WebM', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(600_000)]), 2630],
    [
      'an MP4 that says no time',
      Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(600_000)]),
      2630,
    ],
  ])('%s by its size', (_what, bytes, tokens) => {
    expect(Math.abs(tokensOfBytes(bytes) - tokens)).toBeLessThanOrEqual(2);
  });
});

test('a file of text counts by its length, and what nothing is known of counts as an image', () => {
  expect(tokensOfBytes(Buffer.from('date,amount\n'.repeat(10_000)))).toBe(40_000);
  expect(tokensOfBytes(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).toBe(mediaTokens);
});

describe('a part', () => {
  const part = (kind: MediaPart['kind'], source: MediaPart['source']): MediaPart => ({
    ...{ type: 'media', kind, source, mediaType: null, name: null },
  });
  const data = openPdf(12).toString('base64');

  test('counts the same by its data and by the mark of data stored elsewhere, which may be where an address was', () => {
    const mark = mediaMark('0f'.repeat(32), 36_000);
    expect(mediaTokensOf(part('file', { data }))).toBe(36_000);
    expect(mediaTokensOf(part('file', { data: mark }))).toBe(36_000);
    expect(mediaTokensOf(part('file', { url: mark }))).toBe(36_000);
  });

  test('of an earlier version, an address, an id and an image count as one image', () => {
    for (const source of [
      { data: `spillway-media:${'0f'.repeat(32)}` },
      { url: 'https://example.com/a.pdf' },
      { fileId: 'file-1' },
    ])
      expect(mediaTokensOf(part('file', source))).toBe(mediaTokens);
    expect(mediaTokensOf(part('image', { data }))).toBe(mediaTokens);
  });
});
