import type { Schemas } from '@spillway/client';
import { isProblem, ProblemError, unreachable } from '@/ui/messages/problem';

export interface Sample {
  name: string;
  thread_id: string;
}

/** Calls the console's own route for samples; throws its problem. */
async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(path, init);
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body as T;
  throw new ProblemError(isProblem(body) ? body : { ...unreachable(), status: answer.status });
}

export const listSamples = async (): Promise<Sample[]> =>
  (await ask<{ samples: Sample[] }>('/samples')).samples;

export const postSample = (name: string): Promise<unknown> =>
  ask(`/samples?name=${encodeURIComponent(name)}`, { method: 'POST' });

export const isLoaded = (thread: Schemas['ThreadListed'] | undefined): thread is Schemas['ThreadListed'] =>
  thread !== undefined && thread.last_seq > 0;
