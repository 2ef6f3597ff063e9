import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Schemas } from '@spillway/client';
import { toolCall, toolResult } from '../tool-calls.js';

export type Uploaded = Schemas['OutputUploaded'];
export type Content = string | Buffer | AsyncIterable<string | Buffer>;

export interface UploadAnswer<T = Uploaded> {
  status: number;
  body: T;
}

export interface UploadTo {
  url: string;
  key: string;
  thread: string;
  query?: string;
  headers?: Record<string, string>;
}

/** An upload that has begun: its bytes are the caller's to write. */
export function beginUpload({ url, key, thread, query = '', headers = {} }: UploadTo): ClientRequest {
  return request(`${url}/v1/threads/${thread}/outputs${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/plain', ...headers },
  });
}

/** Uploads bytes as a stream without a length, as slowly as they are taken, and returns the answer. */
export async function upload<T = Uploaded>(to: UploadTo, content: Content): Promise<UploadAnswer<T>> {
  const sent = beginUpload(to);
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // A refusal may come, and the connection close, while bytes are still being sent.
  const isAnswered = answered.then(
    () => true,
    () => true,
  );
  const pieces = typeof content === 'string' || Buffer.isBuffer(content) ? [content] : content;
  sent.flushHeaders();
  for await (const piece of pieces) {
    if (sent.destroyed) break;
    if (!sent.write(piece) && (await Promise.race([isAnswered, once(sent, 'drain').then(() => false)])))
      break;
  }
  sent.on('error', () => undefined).end();
  const [response] = await answered;
  return { status: response.statusCode!, body: (await json(response)) as T };
}

/** Log lines of about a hundred bytes, `megabytes` of them, in pieces of 64 KiB or so. */
export async function* logOf(megabytes: number): AsyncGenerator<string> {
  let line = 0;
  for (let bytes = 0; bytes < megabytes * 1024 * 1024;) {
    let piece = '';
    while (piece.length < 65_536) {
      line++;
      const at = new Date(1_700_000_000_000 + line * 13).toISOString();
      piece += `${at} INFO worker-${line % 17} request ${line} answered with 200 in ${line % 977} ms\n`;
    }
    bytes += piece.length;
    await Promise.resolve();
    yield piece;
  }
}

export const call = (id = 'c1') => toolCall(id, 'bash');
export const result = (content: unknown, id = 'c1') => toolResult(id, content);

/** What a folder of outputs holds, temporary files included. */
export const filesIn = (folder: string): string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort();

export interface Problem {
  code: string;
  detail: string;
  errors?: { path: string; message: string }[];
}
