import { policyInput, returnedPolicy } from '@spillway/contracts';
import type { PolicyView } from '@spillway/service';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { checked, refuseInvalid } from '../http/valid.js';
import { policyView } from './policy.view.js';

type ReturnedPolicy = z.infer<typeof returnedPolicy>;

/** What a body says of a policy, and where in it the policy is. */
interface PolicyBody extends ReturnedPolicy {
  at: '' | '/policy';
}

/** Reads the policy of a body: it is there alone, or as GET answered it. No policy has a key `policy`. */
export function policyIn(body: unknown): PolicyBody {
  const isReturned = typeof body === 'object' && body !== null && 'policy' in body;
  if (!isReturned) return { policy: checked(policyInput, body), at: '' };
  return { ...checked(returnedPolicy, body), at: '/policy' };
}

const readOnly = ['effective', 'sources', 'inherited'] as const;

/**
 * Refuses a read-only part that is not as it is now, because a change of it would be lost. Of another version nothing is
 * as it is now: the change from that one is refused as such. Throws `invalid_request`.
 */
export function refuseReadOnly(returned: ReturnedPolicy, now: PolicyView): void {
  if (returned.version !== undefined && returned.version !== now.version) return;
  const shown = JSON.parse(JSON.stringify(policyView(now))) as ReturnedPolicy;
  const changed = readOnly.filter(
    (part) => returned[part] !== undefined && !isDeepStrictEqual(returned[part], shown[part]),
  );
  if (changed.length > 0)
    refuseInvalid(
      changed.map((part) => ({
        path: `/${part}`,
        message: 'is read-only: change /policy, and send this as GET answers it or not at all',
      })),
    );
}
