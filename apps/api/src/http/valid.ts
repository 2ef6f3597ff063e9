import type { PipeTransform } from '@nestjs/common';
import { SpillwayError } from '@spillway/service';
import type { z } from 'zod';

/** Checks one part of a request against its contract. Throws `invalid_request` with a JSON pointer per problem. */
export const valid = <T extends z.ZodType>(schema: T): PipeTransform<unknown, z.infer<T>> => ({
  transform(value) {
    // An absent body and an empty one say the same.
    const parsed = schema.safeParse(value === undefined ? {} : value);
    if (parsed.success) return parsed.data;
    const errors = parsed.error.issues.slice(0, 20).map((issue) => ({
      path: `/${issue.path.map(String).join('/')}`,
      message: issue.message,
    }));
    throw new SpillwayError(
      'invalid_request',
      errors.map((e) => `${e.path}: ${e.message}`).join('; '),
      errors,
    );
  },
});
