import { AsyncResource } from 'node:async_hooks';
import { timedCall } from '../metrics/timed-calls.js';
import type { Runtime } from '../runtime.js';
import type { roomOf } from '../upstreams/model-call-room.js';
import type { Upstream } from '../upstreams/upstream-of.js';
import { callProvider, passedBack, type ProviderCall } from './call-provider.js';
import { relay, type Ends } from './relay.js';
import type { WireApi } from './wire-api.js';

export interface ProxyAnswer {
  status: number;
  headers: Record<string, string>;
  /** The provider's bytes, unchanged. */
  body: AsyncIterable<Uint8Array>;
}

export interface CalledModel {
  api: WireApi;
  upstream: Upstream;
  model: string;
}

/** Calls the model of a proxied request, and counts the call by how it ended. */
export const callModel = (
  { metrics }: Runtime,
  { api, upstream, model }: CalledModel,
  call: ProviderCall,
): Promise<Response> =>
  timedCall(
    metrics,
    { purpose: 'chat', model, provider: upstream.provider },
    () => callProvider(upstream, api, call),
    ({ ok }) => ok,
  );

/** The provider's answer for its caller. It keeps its room until it was passed on, and ends in one of the two ways. */
export const passOn = (
  answer: Response,
  api: WireApi,
  room: Pick<ReturnType<typeof roomOf>, 'heldBy'>,
  { record, countCut, unreadable }: Ends,
): ProxyAnswer => ({
  status: answer.status,
  headers: passedBack(answer),
  body: room.heldBy(
    relay(answer, api, {
      // The answer is read by whoever writes it to the socket, outside the scope of the caller's project.
      record: AsyncResource.bind(record),
      countCut: AsyncResource.bind(countCut),
      unreadable,
    }),
  ),
});
