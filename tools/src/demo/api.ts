import { StartError } from '@spillway/embedded';
import type { Schemas } from '@spillway/client';

/** The data of an API answer. An error becomes one line with the API's message. */
export function answered<T>(result: { data?: T; error?: unknown; response: Response }, what: string): T {
  if (result.data !== undefined) return result.data;
  const problem = result.error as Partial<Schemas['Problem']> | undefined;
  const errors = problem?.errors?.map((each) => `${each.path}: ${each.message}`).join('; ');
  const detail = [problem?.detail ?? problem?.title ?? 'no reason given', errors].filter(Boolean).join(' ');
  throw new StartError(
    `The API refused to ${what} (${result.response.status} ${problem?.code ?? ''}): ${detail}`,
  );
}
