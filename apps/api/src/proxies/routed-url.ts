import type { IncomingMessage } from 'node:http';

const namedInUrl =
  /^\/(thread|thread-from)\/([^/?]+)(?=\/v1(?:alpha|beta)?\/(?:chat\/completions|responses|messages|models)(?:[/?]|$))/;

/**
 * Returns the URL under which a request is routed. What a base URL says about the thread, `/thread/<id>` or
 * `/thread-from/<history, session or user>`, becomes the header of that name: some programs can be given an address and
 * a key, and no header. A header that was sent stays.
 */
export function routedUrl(request: IncomingMessage): string {
  const { url = '/', headers } = request;
  const named = namedInUrl.exec(url);
  const value = named && decodable(named[2]!);
  // A name that cannot be decoded stays in the URL, which is refused as any other that cannot.
  if (!named || value === null) return ofNewestVersion(request, url);
  headers[`spillway-${named[1]!}`] ??= value;
  return ofNewestVersion(request, url.slice(named[0].length));
}

function decodable(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const ofOtherVersion = /^\/v1(?:alpha)?\/models(?=[/?]|$)/;
const call = /^[^?]*:\w+(?:\?|$)/;

/**
 * Google's SDKs ask for `v1`, `v1alpha` or `v1beta` of the same API, and `/v1/models` is also where those of OpenAI and
 * Anthropic list models. Only Google's have their key in a header of their own, and only they call a model there.
 */
function ofNewestVersion({ method, headers }: IncomingMessage, url: string): string {
  const isOfGoogle = headers['x-goog-api-key'] !== undefined || (method === 'POST' && call.test(url));
  return isOfGoogle ? url.replace(ofOtherVersion, '/v1beta/models') : url;
}
