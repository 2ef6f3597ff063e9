import { useQuery } from '@tanstack/react-query';
import { missingScope } from '../access/missing-scope';
import { sessionQuery } from '../access/use-session';

/**
 * Whether the key of this session may read events; undefined before that is known. While the API does not answer, its
 * stream is tried all the same: it says when the API is back.
 */
export function useMayListen(signedIn: boolean): boolean | undefined {
  const { data, isError } = useQuery({ ...sessionQuery, enabled: signedIn });
  if (!signedIn) return undefined;
  if (!data) return isError ? true : undefined;
  return missingScope(data.scopes, 'context:read') === null;
}
