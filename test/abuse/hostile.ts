import { connect } from 'node:net';
import { apiOf, type Answer } from '@spillway/testing';
import { expect, inject } from 'vitest';
import type { groups } from './one-stack.js';

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors?: { path: string; message: string }[];
  request_id: string;
}

/** The shared stack as one file meets it: two projects of its own, and the refusals it may expect. */
export function hostile(group: (typeof groups)[number]) {
  const stack = inject('stack');
  const { ours, theirs } = stack.keys[group]!;
  const api = apiOf({ url: stack.url, key: ours });
  const refused = async (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Problem> => {
    const answer = await api.call<Problem>(method, path, body, headers);
    expectProblem(answer, `${method} ${path.slice(0, 200)}`);
    return answer.body;
  };
  return { stack, api, strangers: apiOf({ url: stack.url, key: theirs }), key: ours, refused };
}

/** Every refusal is a problem document that says what is wrong and nothing about our insides. */
export function expectProblem(answer: Answer<Problem>, what: string): void {
  expect(answer.status, `${what} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeGreaterThanOrEqual(400);
  expect(answer.status, `${what} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(500);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({
    status: answer.status,
    request_id: answer.headers.get('x-request-id'),
    code: expect.stringMatching(/^[a-z_0-9]+$/) as string,
  });
  const text = JSON.stringify(answer.body);
  expect(text.length, what).toBeLessThan(8_000);
  expect(text, what).not.toMatch(/node_modules|at async|prisma|SELECT |INSERT |\.js:\d+|fastify|zod/i);
}

/** Bytes on a connection as they are; resolves with everything that came back, when the other side hangs up. */
export function raw(
  bytes: string | Buffer,
  { from, ...how }: { keepOpen?: boolean; withinMs?: number; from?: { localAddress?: string } } = {},
): Promise<string> {
  const { hostname, port } = new URL(inject('stack').url);
  return exchange({ host: hostname, port: Number(port), ...from }, bytes, how);
}

export function exchange(
  at: { host: string; port: number; localAddress?: string },
  bytes: string | Buffer,
  { keepOpen = false, untilAnswered = false, withinMs = 20_000 } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(at);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The connection was left open. It had sent: ${received.slice(0, 500)}`));
    }, withinMs);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (untilAnswered && /\r\n\r\n[^]*\}/.test(received)) socket.destroy();
    });
    // A server that hangs up while we write resets the connection; what it said before that counts.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.write(bytes);
    if (!keepOpen) socket.end();
  });
}

/** Status lines in what came back: one for each answer. */
export const statuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((found) => Number(found[1]));
