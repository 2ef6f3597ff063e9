/** What a refusal says. */
export interface Refusal {
  code: string | undefined;
  errors: { path: string; message: string }[];
}

interface GoogleDetail {
  reason?: string;
  fieldViolations?: { field: string; description: string }[];
}

/** Reads a refusal: a problem document, or the form of Google that its routes have. */
export function refusalIn(body: unknown): Refusal {
  const {
    code,
    errors = [],
    error,
  } = Object(body) as Partial<Refusal> & {
    error?: { details?: GoogleDetail[] };
  };
  if (code !== undefined || !error?.details) return { code, errors };
  const [info, fields] = error.details;
  const violations = fields?.fieldViolations ?? [];
  return {
    code: info?.reason,
    errors: violations.map(({ field, description }) => ({ path: field, message: description })),
  };
}
