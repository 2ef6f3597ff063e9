import type { GeminiPart, GeminiUsage } from '@spillway/client/agent';

/** An answer to a model call, or a piece of one that is streamed. */
interface Piece {
  candidates?: {
    content?: { parts?: GeminiPart[] };
    finishReason?: string;
    /** With it the SDK asks for the rest of an answer that is not finished. */
    continuationToken?: string;
  }[];
  usageMetadata?: GeminiUsage;
}

/** What the model said so far, of which candidates but the first are left out. */
export interface Answer {
  parts: GeminiPart[];
  /** The model said all of it. */
  isWhole: boolean;
  usage: GeminiUsage | undefined;
}

/** Who follows an answer while it comes in. */
export interface Follower {
  /** Called with the parts of the answer up to where the SDK may continue it with the token. */
  paused(token: string, parts: GeminiPart[]): void;
  /** Called at the end of the answer. */
  ended(answer: Answer): Promise<void>;
}

/**
 * Returns a response with `follower` called about its answer. The caller gets the end of the response after `ended`, so
 * that its next request finds what was recorded. An answer that breaks off has no end.
 */
export async function followed(response: Response, isStream: boolean, follower: Follower): Promise<Response> {
  if (!response.ok || !response.body) return response;
  const answer: Answer = { parts: [], isWhole: false, usage: undefined };
  const take = ({ candidates: [candidate] = [], usageMetadata }: Piece) => {
    answer.parts.push(...(candidate?.content?.parts ?? []));
    answer.usage = usageMetadata ?? answer.usage;
    const { finishReason, continuationToken: token } = candidate ?? {};
    answer.isWhole ||= finishReason !== undefined && finishReason !== 'CONTINUATION';
    if (token !== undefined) follower.paused(token, [...answer.parts]);
  };
  if (!isStream) {
    take((await response.clone().json()) as Piece);
    await follower.ended(answer);
    return response;
  }
  const events = new Events((data) => take(JSON.parse(data) as Piece));
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        events.read(bytes);
        controller.enqueue(bytes);
      },
      flush: () => follower.ended(answer),
    }),
  );
  return new Response(body, response);
}

/** Reads server-sent events as the SDK does. */
class Events {
  private readonly decoder = new TextDecoder();
  private rest = '';

  constructor(private readonly onData: (data: string) => void) {}

  read(bytes: Uint8Array): void {
    const events = (this.rest + this.decoder.decode(bytes, { stream: true })).split(/\r\n\r\n|\n\n|\r\r/);
    this.rest = events.pop()!;
    for (const event of events.map((one) => one.trim()))
      if (event.startsWith('data:')) this.onData(event.slice('data:'.length));
  }
}
