import type { Role } from './role.js';
import type { FormatName } from './format-name.js';

/** A message as a JSON object in its format. */
export type Body = { [key: string]: unknown };

/** The source of a part, so that its own format restores it exactly. */
export interface Native {
  format: FormatName;
  raw: Body;
}

interface PartOf<T extends string> {
  type: T;
  native?: Native | undefined;
}

export interface TextPart extends PartOf<'text'> {
  text: string;
}
/** The model declined to answer; OpenAI has a flag for that, others say it in text. */
export interface RefusalPart extends PartOf<'refusal'> {
  text: string;
}
/** What the model thought. Providers sign or encrypt it, so only its own format can express it. */
export interface ReasoningPart extends PartOf<'reasoning'> {
  text: string;
}
export interface MediaPart extends PartOf<'media'> {
  kind: 'image' | 'audio' | 'video' | 'file';
  /** Its source: a URL, base64 data, or the id of a file at the provider. */
  source: { url: string } | { data: string } | { fileId: string };
  mediaType: string | null;
  name: string | null;
}
export interface CallPart extends PartOf<'call'> {
  id: string;
  name: string;
  /** The arguments as the model wrote them: JSON text, or free text for a custom tool. */
  input: string;
  custom: boolean;
}
export interface ResultPart extends PartOf<'result'> {
  callId: string;
  name: string | null;
  parts: Part[];
  isError: boolean;
  /** Its parts were changed, so its source is no longer valid. */
  changed?: boolean;
  /** The call that it answers, of a generated result alone: some formats name the type of a result after its call. */
  call?: CallPart | undefined;
}
/** A part that only its own format can express: counted as JSON; other formats drop and report it. */
export interface OtherPart extends PartOf<'other'> {
  label: string;
  value: unknown;
  /** Fields of the message beside its content. They are no part of what was said. */
  beside?: boolean;
  /** The image that it is as a whole. It is one of the images of the message: a note may stand in its place. */
  image?: MediaPart;
  /** The texts and pictures that it is made of, such as those of a document: other formats have these in its place. */
  parts?: Part[];
  /** The result of a tool that the provider ran itself, where another text may replace it. */
  result?: ResultPart | undefined;
  /** The id of a call that the provider runs. Its result may be in this message or in a later one. */
  runs?: string;
  /** The id of such a call, whose result this is. */
  ran?: string;
}
export type Part = TextPart | RefusalPart | ReasoningPart | MediaPart | CallPart | ResultPart | OtherPart;

/** A message independent of formats: the input of counting, cutting, previews, summaries and conversions. */
export interface Message {
  role: Role;
  /** Name of the participant, when the message says it. */
  name: string | null;
  parts: Part[];
}

export const callsOf = (message: Message): CallPart[] => message.parts.filter((part) => part.type === 'call');

export const resultsOf = (message: Message): ResultPart[] =>
  message.parts.filter((part) => part.type === 'result');

/** Results that may be offloaded: those of the caller's tools, then those of the provider's. */
export const offloadableResultsOf = (message: Message): ResultPart[] => [
  ...resultsOf(message),
  ...message.parts.flatMap((part) => (part.type === 'other' && part.result ? [part.result] : [])),
];

/** Media of a message in order, with those in its results and the images that a provider generated. */
export const mediaOf = (message: Message): MediaPart[] =>
  everyPart(message).flatMap((part) => {
    if (part.type === 'media') return [part];
    return part.type === 'other' && part.image ? [part.image] : [];
  });

/** Ids of calls that the provider runs, where call and result are in different messages. */
export function providerRunsOf({ parts }: Message): { runs: string[]; ran: string[] } {
  const others = parts.filter((part) => part.type === 'other');
  const runs = new Set(others.flatMap((part) => part.runs ?? []));
  const ran = new Set(others.flatMap((part) => part.ran ?? []));
  return {
    runs: [...runs].filter((id) => !ran.has(id)),
    ran: [...ran].filter((id) => !runs.has(id)),
  };
}

/** Ids of the calls a message answers. */
export const answersOf = (message: Message): string[] => resultsOf(message).map((result) => result.callId);

/** The readable text of these parts, joined by newlines. */
export const textOfParts = (parts: readonly Part[]): string =>
  parts
    .flatMap((part) => {
      if (part.type === 'text' || part.type === 'refusal') return [part.text];
      const inner = partsWithin(part);
      return inner ? [textOfParts(inner)] : [];
    })
    .join('\n');

export const textOf = (message: Message): string => textOfParts(message.parts);

/** The parts that a part is made of: those of a result, or of a document; undefined of any other. */
const partsWithin = (part: Part): Part[] | undefined =>
  part.type === 'result' || part.type === 'other' ? part.parts : undefined;

/** All parts, each followed by the parts that it is made of. */
export const everyPart = ({ parts }: Pick<Message, 'parts'>): Part[] =>
  parts.flatMap((part) => [part, ...everyPart({ parts: partsWithin(part) ?? [] })]);

/** Replaces documents by their texts and pictures, as formats other than their own show them. */
export function withoutDocuments(message: Message): Message {
  const isDocument = (part: Part): boolean => part.type === 'other' && part.parts !== undefined;
  if (!everyPart(message).some(isDocument)) return message;
  const unfold = (parts: readonly Part[]): Part[] =>
    parts.flatMap((part) => {
      if (part.type === 'result') return [{ ...part, parts: unfold(part.parts) }];
      return part.type === 'other' && part.parts ? part.parts : [part];
    });
  return { ...message, parts: unfold(message.parts) };
}

export const textPart = (text: string): TextPart => ({ type: 'text', text });

export const userMessage = (text: string): Message => ({
  role: 'user',
  name: null,
  parts: [textPart(text)],
});

export const resultMessage = (callId: string, text: string, call?: CallPart): Message => ({
  role: 'tool',
  name: null,
  parts: [
    { type: 'result', callId, name: call?.name ?? null, parts: [textPart(text)], isError: false, call },
  ],
});
