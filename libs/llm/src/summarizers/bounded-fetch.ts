import { patientFetch } from '../patient-fetch.js';

/** Default of the maximum pause within a body, in ms. */
const defaultIdleMs = 20_000;

/**
 * Returns a fetch for model calls, which bounds its answers as `boundedAnswer` does. The caller's signal bounds the whole
 * call: models that answer in one piece send nothing, headers included, until they are done.
 */
export const boundedFetch =
  (maxBytes: number) =>
  async (url: Parameters<typeof fetch>[0], request: RequestInit = {}): Promise<Response> =>
    boundedAnswer(await patientFetch(url as string, request), maxBytes);

/** The same answer, which fails after more than `maxBytes` and when its body stalls for `idleMs`. */
export function boundedAnswer(answer: Response, maxBytes: number, idleMs = defaultIdleMs): Response {
  if (!answer.body) return answer;
  const bounded = answer.body.pipeThrough(byteLimit(maxBytes, idleMs));
  const { status, statusText, headers } = answer;
  return new Response(bounded, { status, statusText, headers: withoutCoding(headers) });
}

/** The body is decoded, so headers about its encoded form no longer apply. */
function withoutCoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}

function byteLimit(maxBytes: number, idleMs: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let idle: NodeJS.Timeout | undefined;
  const wait = (controller: TransformStreamDefaultController) => {
    clearTimeout(idle);
    idle = setTimeout(() => controller.error(new Error(`The answer stopped for ${idleMs} ms.`)), idleMs);
  };
  return new TransformStream({
    start: wait,
    transform(chunk, controller) {
      bytes += chunk.length;
      wait(controller);
      if (bytes > maxBytes) {
        clearTimeout(idle);
        controller.error(new Error(`The answer is longer than ${maxBytes} bytes.`));
      } else controller.enqueue(chunk);
    },
    flush: () => clearTimeout(idle),
  });
}
