import type { IncomingMessage } from 'node:http';

const ofOtherVersion = /^\/v1(?:alpha)?\/models(?=[/?]|$)/;
const call = /^[^?]*:\w+(?:\?|$)/;

/**
 * Returns the URL under which a request is routed: Google's SDKs ask for `v1`, `v1alpha` or `v1beta` of the same API, and
 * `/v1/models` is also where those of OpenAI and Anthropic list models. Only Google's have their key in a header of their
 * own, and only they call a model there.
 */
export function routedUrl({ method, url = '/', headers }: IncomingMessage): string {
  const isOfGoogle = headers['x-goog-api-key'] !== undefined || (method === 'POST' && call.test(url));
  return isOfGoogle ? url.replace(ofOtherVersion, '/v1beta/models') : url;
}
