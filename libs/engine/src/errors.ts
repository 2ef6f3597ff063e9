/** Every error that callers may get. The codes are stable; docs/errors.md explains them. */
export type ErrorCode =
  | 'invalid_request'
  | 'malformed_json'
  | 'invalid_utf8'
  | 'bad_http'
  | 'request_timeout'
  | 'unsupported_media_type'
  | 'body_too_large'
  | 'uri_too_long'
  | 'headers_too_large'
  | 'body_too_complex'
  | 'duplicate_key'
  | 'number_not_exact'
  | 'unauthorized'
  | 'forbidden'
  | 'reauthentication_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'thread_not_found'
  | 'message_not_found'
  | 'key_not_found'
  | 'project_not_found'
  | 'project_suspended'
  | 'model_not_found'
  | 'summary_not_found'
  | 'instruction_not_found'
  | 'output_not_found'
  | 'tool_not_found'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'upstream_not_found'
  | 'delivery_not_found'
  | 'message_conflict'
  | 'message_rewound'
  | 'idempotency_conflict'
  | 'thread_exists'
  | 'project_exists'
  | 'project_name_differs'
  | 'output_posted'
  | 'thread_busy'
  | 'last_admin_key'
  | 'policy_changed'
  | 'last_seq_changed'
  | 'too_many_webhooks'
  | 'too_many_tokens'
  | 'webhook_disabled'
  | 'summary_withdrawn'
  | 'summary_rewound'
  | 'summary_not_newest'
  | 'generation_changed'
  | 'summary_not_proposed'
  | 'over_limit'
  | 'thread_erased'
  | 'output_gone'
  | 'range_not_satisfiable'
  | 'budget_too_small'
  | 'pinned_too_large'
  | 'kept_too_large'
  | 'thread_too_large'
  | 'unsupported_regex'
  | 'not_json'
  | 'path_too_costly'
  | 'too_many_searches'
  | 'search_timeout'
  | 'too_many_streams'
  | 'webhook_url_refused'
  | 'upstream_url_refused'
  | 'secrets_not_configured'
  | 'upstream_not_configured'
  | 'too_many_requests'
  | 'chat_budget_spent'
  | 'key_budget_spent'
  | 'upstream_failed'
  | 'overloaded'
  | 'storage_unavailable'
  | 'database_unavailable'
  | 'internal';

export interface FieldError {
  /** JSON pointer into the request. */
  path: string;
  message: string;
}

/** The product's error type. Anything else that is thrown is a defect and is answered as `internal`. */
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
