import { randomUUID } from 'node:crypto';
import type { Schemas } from '@spillway/client';

const titles: Record<number, string> = {
  401: 'Signed out',
  403: 'Refused',
  404: 'Not found',
  502: 'The API does not answer',
  504: 'The API does not answer',
};

/** A problem document of the console itself, in the shape of the API's. */
export function refuse(status: number, code: string, detail: string): Response {
  const problem: Schemas['Problem'] = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail,
    code,
    request_id: randomUUID(),
  };
  return Response.json(problem, {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
}
