import { allUpstreams, replaceUpstreamKey, type UpstreamRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

/** The owner of an upstream's encrypted key: in another row it does not open. */
export const ownerOf = ({ projectId, provider }: Pick<UpstreamRow, 'projectId' | 'provider'>): string =>
  `${projectId}/upstream/${provider}`;

/**
 * Encrypts keys again that were encrypted with an older key of the server. One that was replaced meanwhile stays, and so
 * does one that no key opens. Returns how many changed.
 */
export async function sealUpstreamKeys(rt: Runtime): Promise<number> {
  let changed = 0;
  for (const upstream of await allUpstreams(rt.store)) {
    const { key, projectId: project, provider } = upstream;
    if (key === null || !rt.secrets.isStale(key)) continue;
    const owner = ownerOf(upstream);
    let sealed: string;
    try {
      sealed = rt.secrets.seal(rt.secrets.open(key, owner), owner);
    } catch (error) {
      rt.log.error(
        { err: error, project, provider },
        'the key of an upstream cannot be opened: set it again',
      );
      continue;
    }
    changed += await replaceUpstreamKey(rt.store, upstream, sealed);
  }
  return changed;
}
