import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

// Line breaks and tabs stay.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text of a thread for a terminal. Control characters are shown as escapes, so that a message can neither move the
 * cursor, nor change a title, nor hide a line.
 */
export const terminalText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(control, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`);

/** The same for a stream of UTF-8. */
export function terminalStream(): Transform {
  const decoder = new StringDecoder('utf8');
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, terminalText(decoder.write(chunk))),
    flush: (done) => done(null, terminalText(decoder.end())),
  });
}

/** The same on one line of limited length. */
export function terminalLine(text: string, maxLength = 200): string {
  const line = terminalText(text.slice(0, maxLength * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
