import type { Logger } from 'pino';

/** How often a failure that goes on is logged again. */
const againMs = 60_000;

export interface OutageLog {
  failed: (error: unknown) => void;
  worked: () => void;
}

interface OutageWords {
  /** What goes on without it, behind a semicolon. */
  meanwhile?: string;
  now?: () => number;
}

/**
 * The log of work that is repeated every few seconds and fails while a service is away: a line when it begins to fail,
 * one a minute while it goes on, and one when it works again.
 */
export function outageLog(
  log: Pick<Logger, 'warn' | 'info'>,
  what: string,
  { meanwhile = '', now = () => performance.now() }: OutageWords = {},
): OutageLog {
  let since: number | null = null;
  let loggedAt = 0;
  let failures = 0;
  return {
    failed(error) {
      failures++;
      since ??= now();
      if (failures > 1 && now() - loggedAt < againMs) return;
      loggedAt = now();
      log.warn({ err: error, failures }, `${what} fails${meanwhile}`);
    },
    worked() {
      if (since === null) return;
      log.info({ failures, ms: Math.round(now() - since) }, `${what} works again`);
      since = null;
      failures = 0;
    },
  };
}
