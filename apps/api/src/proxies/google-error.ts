import type { FieldError } from '@spillway/service';

/** What a problem document says of an error. */
interface Problem {
  status: number;
  code: string;
  detail: string;
  errors?: readonly FieldError[];
  request_id: string;
}

/** The kinds of errors of Google's APIs, by HTTP status: https://google.aip.dev/193 */
const statuses: Partial<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

/** Whether a request asks Google's API, which the contract may lack. */
export const isOfGoogle = ({ url }: { url: string }): boolean => url.startsWith('/v1beta/');

/** A problem in the form in which Google's SDKs read errors. Its code is the reason, and its fields are violations. */
export const asGoogleError = ({ status, code, detail, errors, request_id: id }: Problem) => ({
  error: {
    code: status,
    message: detail,
    status: statuses[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE'),
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: code,
        domain: 'spillway.dev',
        metadata: { request_id: id },
      },
      ...(errors
        ? [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: errors.map(({ path, message }) => ({ field: path, description: message })),
            },
          ]
        : []),
    ],
  },
});
