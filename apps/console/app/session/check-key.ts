import { serverApi } from './server-api';

export type KeyCheck = 'works' | 'refused' | 'unreachable';

/** Asks the API whether it knows a key. */
export async function checkKey(key: string): Promise<KeyCheck> {
  try {
    const { response } = await serverApi(key).GET('/v1/policy');
    if (response.ok) return 'works';
    return response.status >= 500 ? 'unreachable' : 'refused';
  } catch {
    return 'unreachable';
  }
}
