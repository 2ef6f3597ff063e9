import type { Body, CallPart, Message } from '../messages/message.js';

/** Gives the calls and results of one message other ids. Each is asked for once, in order. */
export interface MessageIds {
  call: (id: string) => string;
  result: (id: string) => string;
}

/** The start and the end of a long text, and between them how much is missing; a short text as it is. */
export type Shorten = (text: string) => string;

/** Records what a format cannot express. */
export type Drop = (what: string) => void;

/** Messages written in a format: bodies and losses, each with the index of its source message. */
export class Written {
  readonly bodies: { body: Body; from: number }[] = [];
  readonly dropped: { what: string; from: number }[] = [];
  private at = 0;

  constructor(messages: readonly Message[], write: (message: Message, out: Written) => void) {
    messages.forEach((message, i) => {
      this.at = i;
      write(message, this);
    });
  }

  readonly add = (body: Body): void => void this.bodies.push({ body, from: this.at });
  readonly drop: Drop = (what) => void this.dropped.push({ what, from: this.at });
  get last(): Body | undefined {
    return this.bodies.at(-1)?.body;
  }
}

/**
 * The message format of one provider. Posted messages are stored and returned unchanged in their own format; `read` and
 * `write` are for the engine's decisions and for the other formats.
 */
export interface Format {
  /** Never throws for a body that its contract accepts; unknown parts become `other`. */
  read(body: Body): Message;
  /**
   * Messages in this format: all of one unit, so that the calls of a step can be one message where a format requires
   * that. Parts that it cannot express are dropped and reported.
   */
  write(messages: readonly Message[]): Written;
  /**
   * Contents of the message's results, in the order of `offloadableResultsOf`. Of a result that the provider made
   * itself it is the whole block, because the type of the block says where the text stands.
   */
  resultContents(body: Body): unknown[];
  /** The same body with other content in some of its results, by their place among `resultContents`. */
  withResultContents(body: Body, contents: ReadonlyMap<number, unknown>): Body;
  /** A text as content of a tool result; an error stays an error. */
  asResultContent(text: string, inPlaceOf: unknown): unknown;
  /**
   * The body as the provider accepts it: the same object when it is valid. Only what a provider refuses is changed,
   * such as an empty list of tool calls.
   */
  mend(body: Body): Body;
  /**
   * Where no two calls may have one id: in a whole context, or in one step. OpenAI's chat format is spoken by servers
   * that begin anew with `call_0` in each turn, and takes that back.
   */
  uniqueCallIds: 'context' | 'step';
  /** The id, or a similar one that the format allows. */
  allowedCallId(id: string): string;
  /**
   * The same call, as this format writes it, with shorter texts in its input. What else it holds stays, such as a
   * signature.
   */
  shorterCall(call: Body, shorten: Shorten): Body;
  /** The same body with other ids. Asks for those of its calls and results in the order in which `read` has them. */
  withCallIds(body: Body, ids: MessageIds): Body;
  /** Whether a text may be the result of the call. Every call takes one where this is missing. */
  takesText?: (call: CallPart) => boolean;
  /** The system prompt goes beside the messages, not among them. */
  systemBeside: boolean;
  /** Whether system messages may stand behind the leading ones: anywhere, between user and assistant, or nowhere. */
  laterSystem: 'anywhere' | 'between' | 'nowhere';
  /** The first message must be the user's. */
  userFirst: boolean;
}
