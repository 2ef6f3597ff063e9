import { pino, type DestinationStream, type Logger } from 'pino';
import { activeTraceId } from './tracing/spans.js';

/**
 * The log of a process: JSON, one line an event. Fields are ids, numbers and words of ours. Of an error only what is
 * listed here is written, whatever else it carries: errors of SDKs and drivers hold requests, answers and values of
 * rows.
 */
export const openLog = (level: string, name: string, to?: DestinationStream): Logger =>
  pino({ level, name, serializers: { err: shownError }, mixin: activeTrace }, ...(to ? [to] : []));

/** Names the trace that a line belongs to, so that one leads to the other. */
function activeTrace(): { trace?: string } {
  const traceId = activeTraceId();
  return traceId === null ? {} : { trace: traceId };
}

interface ShownError {
  type: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: ShownError;
}

const maxCauses = 5;

function shownError(error: unknown, depth = 0): ShownError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause instanceof Error && depth < maxCauses
      ? { cause: shownError(error.cause, depth + 1) }
      : {}),
  };
}

/** The log for a framework that writes texts with a context. */
export const frameworkLog = (log: Logger) => {
  const write =
    (level: 'error' | 'warn' | 'debug') =>
    (message: unknown, ...details: unknown[]): void => {
      const context = details.filter((detail) => typeof detail === 'string');
      if (message instanceof Error) log[level]({ err: message, context }, message.message);
      else log[level]({ context }, String(message));
    };
  return {
    log: write('debug'),
    error: write('error'),
    warn: write('warn'),
    debug: write('debug'),
    verbose: write('debug'),
  };
};
