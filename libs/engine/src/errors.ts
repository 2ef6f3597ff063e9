/** Every error a caller may meet, with the HTTP status it becomes. The codes are stable; docs/errors.md explains them. */
export const errorStatus = {
  invalid_request: 422,
  malformed_json: 400,
  invalid_utf8: 400,
  bad_http: 400,
  request_timeout: 408,
  unsupported_media_type: 415,
  body_too_large: 413,
  uri_too_long: 414,
  headers_too_large: 431,
  body_too_complex: 422,
  duplicate_key: 422,
  number_not_exact: 422,
  unauthorized: 401,
  forbidden: 403,
  reauthentication_required: 403,
  not_found: 404,
  thread_not_found: 404,
  message_not_found: 404,
  key_not_found: 404,
  model_not_found: 404,
  summary_not_found: 404,
  output_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  message_conflict: 409,
  thread_exists: 409,
  output_posted: 409,
  thread_busy: 409,
  last_admin_key: 409,
  policy_changed: 412,
  too_many_webhooks: 409,
  webhook_disabled: 409,
  summary_withdrawn: 409,
  thread_erased: 410,
  output_gone: 410,
  range_not_satisfiable: 416,
  budget_too_small: 422,
  pinned_too_large: 422,
  unsupported_regex: 422,
  not_json: 422,
  path_too_costly: 422,
  too_many_searches: 429,
  search_timeout: 503,
  too_many_streams: 429,
  webhook_url_refused: 422,
  secrets_not_configured: 422,
  upstream_not_configured: 422,
  too_many_requests: 429,
  upstream_failed: 502,
  overloaded: 503,
  storage_unavailable: 503,
  database_unavailable: 503,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface FieldError {
  /** JSON pointer into the request. */
  path: string;
  message: string;
}

/** The one error of the product. Anything else that is thrown is a defect, and answered as `internal`. */
export class SpillwayError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly errors?: FieldError[],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SpillwayError';
  }
}
