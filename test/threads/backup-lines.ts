import { createHash, randomBytes } from 'node:crypto';

/** A line of a backup. */
export type Line = { type: string; [key: string]: unknown };

export const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
export const parsed = (text: string): Line[] => linesOf(text).map((line) => JSON.parse(line) as Line);

/** The same backup with other lines, and the digest that these have. */
export function rewritten(lines: readonly object[]): string {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ type: 'end', lines: lines.length, sha256, context_sha256: null })}\n`;
}

/** A text that is large enough to be offloaded. */
export const log = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `${i + 1}: step ${i} ok`).join('\n');
/** An image that is large enough to leave its message. */
export const image = `data:image/png;base64,${randomBytes(9_000).toString('base64')}`;

export const full = '/v1/threads/full';
