import type { MiddlewareContext } from '@anthropic-ai/sdk';
import { BetaMessageStream } from '@anthropic-ai/sdk/lib/BetaMessageStream';
import type { BetaMessage, BetaRawMessageStreamEvent } from '@anthropic-ai/sdk/resources/beta/messages';
import type { Stream } from '@anthropic-ai/sdk/streaming';

type Answer = Pick<BetaMessage, 'role' | 'content' | 'usage'>;

/**
 * Returns the response to a request for a message, with `record` called once with its answer. A caller gets the end of
 * the response after the answer is recorded, so that its next request finds it. An answer that breaks off is not
 * recorded.
 */
export async function recorded(
  response: Response,
  context: MiddlewareContext,
  record: (answer: Answer) => Promise<void>,
): Promise<Response> {
  if (!response.ok) return response;
  const parsed = await context.parse<Answer | Stream<BetaRawMessageStreamEvent>>(response);
  if (!('controller' in parsed)) {
    await record(parsed);
    return response;
  }
  const answer = BetaMessageStream.fromReadableStream(parsed.toReadableStream()).finalMessage();
  // Whoever reads the response sees how it broke off.
  answer.catch(() => undefined);
  const body = response.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      flush: async () => record(await answer),
    }),
  );
  return new Response(body, response);
}
