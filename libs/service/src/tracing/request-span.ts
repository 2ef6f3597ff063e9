import { context, SpanKind, trace } from '@opentelemetry/api';
import { contextOf, fail, traceIdOf, tracer } from './spans.js';

/** The span of one HTTP request. */
export interface RequestSpan {
  /** Null when the span is not sent. */
  traceId: string | null;
  /** Runs what handles the request, so that its spans are parts of this one. */
  run: (handle: () => void) => void;
  end: (ended: EndedRequest) => void;
}

export interface EndedRequest {
  /** The template of its route, such as `/v1/threads/{id}`: never the URL, which holds what clients write. */
  route: string;
  status: number;
  /** The client had gone before the answer was written. */
  aborted: boolean;
  project: string | null;
}

/**
 * Begins the span of a request; null when nothing is traced. It is part of the caller's trace when its headers name one
 * (`traceparent`).
 */
export function startRequestSpan(method: string, headers: object): RequestSpan | null {
  const attributes = { 'http.request.method': method };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(headers));
  if (!trace.isSpanContextValid(span.spanContext())) return null;
  const within = trace.setSpan(context.active(), span);
  return {
    traceId: traceIdOf(span),
    run: (handle) => context.with(within, handle),
    end({ route, status, aborted, project }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        'http.route': route,
        'http.response.status_code': status,
        ...(project === null ? {} : { 'spillway.project': project }),
      });
      if (aborted) fail(span, 'aborted');
      else if (status >= 500) fail(span, String(status));
      span.end();
    },
  };
}
