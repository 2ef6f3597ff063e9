import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';

/** Does nothing, and costs next to nothing, unless `startTracing` has been called. */
export const tracer = trace.getTracer('spillway');

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** What it is part of, unless that is the active span. */
  parent?: Context;
}

/**
 * Runs a piece of work in a span of its own. When the work throws, the span fails with the error's kind as `error.type`:
 * messages of errors may hold what clients or models wrote, and no trace holds that.
 */
export function inSpan<T>(
  name: string,
  { parent = context.active(), ...options }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, kindOfError(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

export function fail(span: Span, errorType: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorType);
}

/** Its code or failure where it has one of ours or of a driver's, else its class. */
function kindOfError(error: unknown): string {
  const { failure, code } = (error ?? {}) as { failure?: unknown; code?: unknown };
  const named = [failure, code].find((one) => typeof one === 'string');
  if (typeof named === 'string') return named;
  return error instanceof Error ? error.name : typeof error;
}

/** The id of a span's trace, 32 hex digits; null when the span is not sent: without tracing, or not sampled. */
export const traceIdOf = (span: Span): string | null =>
  span.isRecording() ? span.spanContext().traceId : null;

/** The same of the active span. */
export function activeTraceId(): string | null {
  const span = trace.getActiveSpan();
  return span ? traceIdOf(span) : null;
}

/** The active span as the text of W3C trace context, for work that goes on in another process. */
export function activeTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The context of a span in another process. Text that is no trace context starts a new trace. */
export const contextOf = (carrier: object): Context => propagation.extract(ROOT_CONTEXT, carrier);
