/** A summary is a few thousand tokens; an answer this long is none. */
const mostBytes = 256 * 1024;
/** A body that began goes on within this time. */
const idleMs = 20_000;

/**
 * fetch for calls to a model: no redirects (one would take the key along), an answer of bounded size, and no waiting
 * for a body that stops in the middle. How long the whole call may take is the caller's signal; models that answer
 * in one piece send nothing, headers included, until they are done.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'error' });
  if (!answer.body) return answer;
  const bounded = answer.body.pipeThrough(byteLimit());
  const { status, statusText, headers } = answer;
  return new Response(bounded, { status, statusText, headers: withoutCoding(headers) });
};

/** The body is decoded by now: its coding and length were those of what was sent. */
function withoutCoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}

function byteLimit(): TransformStream<Uint8Array, Uint8Array> {
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
      if (bytes > mostBytes) {
        clearTimeout(idle);
        controller.error(new Error(`The answer is longer than ${mostBytes} bytes.`));
      } else controller.enqueue(chunk);
    },
    flush: () => clearTimeout(idle),
  });
}
