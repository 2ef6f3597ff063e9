import { hash } from 'node:crypto';
import {
  entryOfMessage,
  formats,
  isSystem,
  minMediaLength,
  SpillwayError,
  weigh,
  type Body,
  type FormatName,
  type Message,
  type ResultPart,
} from '@spillway/engine';
import type { NewMessage, UploadRow } from '@spillway/store';
import { countMessageOffLoop } from './count-message.js';
import { idsAsJson } from './entries.js';
import { storeMedia } from './media/store-media.js';
import { noMedia, takeMedia } from './media/take-media.js';
import type { StagedOutput } from '../outputs/offload-output.js';
import { offloadResults, type Destination } from '../outputs/offload-results.js';
import { postedUploads } from '../outputs/uploads/posted-uploads.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';

/** A message as a client posts it: its body without our own fields. */
export interface IncomingMessage {
  clientId: string | null;
  pinned: boolean;
  /** When it was written where it comes from, if the caller says so. */
  sentAt?: Date | null;
  format: FormatName;
  body: Body;
}

export interface PreparedMessage {
  row: NewMessage;
  body: Body;
  outputs: StagedOutput[];
  weight: number;
  isSystem: boolean;
}

/** SHA-256 of a message as it was posted, which tells a retry from another message. */
export const postedHash = (json: string): Buffer => hash('sha256', json, 'buffer');

/** Decides everything about messages before any row is locked: tokens, what is offloaded, what the context contains. */
export async function prepareMessages(
  rt: Runtime,
  to: Destination,
  messages: readonly IncomingMessage[],
  settings: ThreadSettings,
): Promise<PreparedMessage[]> {
  const prepared: PreparedMessage[] = [];
  const tools = new Map<string, string>();
  const read = messages.map((incoming) => ({
    ...incoming,
    message: formats[incoming.format].read(incoming.body),
  }));
  const uploads = await postedUploads(rt, to, read);
  for (const incoming of read) {
    const { message } = incoming;
    for (const part of message.parts) if (part.type === 'call') tools.set(part.id, part.name);
    prepared.push(await prepare(rt, to, incoming, { tools, uploads }, settings));
  }
  prepared.forEach(({ row }, i) => {
    if (row.pinned) refuseLargePin(row.tokens, settings.budget.limit, `/messages/${i}`);
  });
  return prepared;
}

async function prepare(
  rt: Runtime,
  to: Destination,
  incoming: IncomingMessage & { message: Message },
  posted: { tools: ReadonlyMap<string, string>; uploads: ReadonlyMap<ResultPart, UploadRow> },
  settings: ThreadSettings,
): Promise<PreparedMessage> {
  const { format, pinned, clientId, sentAt, message } = incoming;
  const json = JSON.stringify(incoming.body);
  const fullTokens = await countMessageOffLoop(message, settings.counter);
  const { body, outputs } = await offloadResults(
    rt,
    to,
    { ...incoming, tokens: fullTokens, tools: posted.tools },
    posted.uploads,
    settings,
  );
  const held = outputs.length > 0 ? formats[format].read(body) : message;
  const tokens = outputs.length > 0 ? await countMessageOffLoop(held, settings.counter) : fullTokens;
  const media = json.length < minMediaLength ? noMedia(body) : takeMedia(body);
  await storeMedia(rt, to.projectId, media);
  const entry = entryOfMessage(held, { seq: 0, tokens, pinned, format });
  const unchanged = outputs.length === 0 && media.references.length === 0;
  return {
    body,
    outputs,
    weight: weigh(entry, settings.budget.limit),
    isSystem: isSystem(entry),
    row: {
      clientId,
      role: entry.role,
      pinned,
      tokens,
      fullTokens,
      // JSON text: an id may contain what a text column cannot.
      calls: idsAsJson(entry.calls, entry.runs),
      answers: idsAsJson(entry.answers, entry.ran),
      body: unchanged ? json : JSON.stringify(media.body),
      hash: postedHash(json),
      outputId: outputs[0]?.id ?? null,
      outputs,
      format,
      images: entry.images,
      media: jsonOrNull(media.references),
      mediaHashes: [...media.blobs.keys()],
      sentAt: sentAt?.toISOString() ?? null,
    },
  };
}

const jsonOrNull = (list: readonly unknown[]): string | null =>
  list.length > 0 ? JSON.stringify(list) : null;

/** Pinned messages are in every context, so they must leave space in it. Throws `pinned_too_large`. */
export function refuseLargePin(tokens: number, limit: number, path: string): void {
  const max = Math.floor(limit / 4);
  if (tokens <= max) return;
  throw new SpillwayError(
    'pinned_too_large',
    `A pinned message may have at most ${max} tokens in this thread.`,
    [{ path, message: `takes ${tokens} tokens` }],
  );
}

/** System messages at the start of a batch. */
export const leadingCount = (prepared: readonly PreparedMessage[]): number => {
  const first = prepared.findIndex((message) => !message.isSystem);
  return first < 0 ? prepared.length : first;
};
