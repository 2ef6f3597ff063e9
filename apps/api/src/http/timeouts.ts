import { EnvError } from '@spillway/service';
import { z } from 'zod';

/** How long a client may take to send a request before its connection is closed, in ms. */
export interface Timeouts {
  headersMs: number;
  /** Headers and body together. */
  requestMs: number;
}

const ms = (fallback: number) => z.coerce.number().int().min(100).max(600_000).default(fallback);

const variables = z.object({
  SPILLWAY_HEADERS_TIMEOUT_MS: ms(10_000),
  SPILLWAY_REQUEST_TIMEOUT_MS: ms(30_000),
});

/** The two limits of this server that an operator behind a slow proxy, or a test, may want otherwise. */
export function readTimeouts(source: NodeJS.ProcessEnv): Timeouts {
  const parsed = variables.safeParse(source);
  if (!parsed.success) {
    throw new EnvError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'),
    );
  }
  const { SPILLWAY_HEADERS_TIMEOUT_MS: headersMs, SPILLWAY_REQUEST_TIMEOUT_MS: requestMs } = parsed.data;
  return { headersMs: Math.min(headersMs, requestMs), requestMs };
}
