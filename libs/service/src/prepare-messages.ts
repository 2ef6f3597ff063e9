import { createHash } from 'node:crypto';
import {
  isSystem,
  readOpenAI,
  shouldOffload,
  SpillwayError,
  weigh,
  type Body,
  type Entry,
  type Message,
} from '@spillway/engine';
import { findToolCall, type NewMessage } from '@spillway/store';
import { countMessage } from './count-message.js';
import { offloadOutput, type StagedOutput } from './offload-output.js';
import type { Runtime } from './runtime.js';
import type { ThreadSettings } from './settings.js';

/** A message as a client posts it: its wire body with our two fields taken out. */
export interface IncomingMessage {
  clientId: string | null;
  pinned: boolean;
  body: Body;
}

export interface PreparedMessage {
  row: NewMessage;
  body: Body;
  output: StagedOutput | null;
  weight: number;
  isSystem: boolean;
}

export interface Destination {
  projectId: string;
  threadId: string;
  /** Null when the thread does not exist yet. */
  threadUid: string | null;
}

/** Decides everything about messages before any row is locked: tokens, what is offloaded, what the context holds. */
export async function prepareMessages(
  rt: Runtime,
  to: Destination,
  messages: readonly IncomingMessage[],
  settings: ThreadSettings,
): Promise<PreparedMessage[]> {
  const prepared: PreparedMessage[] = [];
  const calls = new Map<string, string>();
  for (const incoming of messages) {
    const message = readOpenAI(incoming.body);
    for (const call of message.calls) calls.set(call.id, call.name);
    prepared.push(await prepare(rt, to, incoming, message, calls, settings));
  }
  refuseTooMuchPinned(prepared, settings);
  return prepared;
}

async function prepare(
  rt: Runtime,
  to: Destination,
  incoming: IncomingMessage,
  message: Message,
  calls: ReadonlyMap<string, string>,
  settings: ThreadSettings,
): Promise<PreparedMessage> {
  const posted = JSON.stringify(incoming.body);
  const fullTokens = await countMessage(incoming.body, settings.count);
  let body = incoming.body;
  let output: StagedOutput | null = null;
  let tokens = fullTokens;
  if (shouldOffload(message, fullTokens, null, settings.policy.outputs)) {
    const tool =
      message.name ?? calls.get(message.answers ?? '') ?? (await calledTool(rt, to, message.answers));
    if (shouldOffload(message, fullTokens, tool, settings.policy.outputs)) {
      ({ body, output } = await offloadOutput(
        rt,
        to.projectId,
        { body, message, tokens: fullTokens, tool },
        settings,
      ));
      tokens = await countMessage(body, settings.count);
    }
  }
  const entry: Entry = {
    seq: 0,
    role: message.role,
    tokens,
    pinned: incoming.pinned,
    calls: message.calls.map((call) => call.id),
    answers: message.answers,
  };
  return {
    body,
    output,
    weight: weigh(entry, settings.budget.limit),
    isSystem: isSystem(entry),
    row: {
      clientId: incoming.clientId,
      role: message.role,
      pinned: incoming.pinned,
      tokens,
      fullTokens,
      calls: entry.calls.length > 0 ? JSON.stringify(entry.calls) : null,
      // JSON text, as calls are: an id may hold what a text column can't.
      answers: message.answers === null ? null : JSON.stringify(message.answers),
      body: output ? JSON.stringify(body) : posted,
      hash: createHash('sha256').update(posted).digest(),
      outputId: output?.id ?? null,
    },
  };
}

async function calledTool(rt: Runtime, to: Destination, callId: string | null): Promise<string | null> {
  if (to.threadUid === null || callId === null) return null;
  const where = { projectId: to.projectId, threadUid: to.threadUid, callId };
  const found = await findToolCall(rt.store, where);
  if (!found) return null;
  return readOpenAI(JSON.parse(found) as Body).calls.find((call) => call.id === callId)?.name ?? null;
}

/** Pinned messages are in every context, so they may not fill it. */
function refuseTooMuchPinned(prepared: readonly PreparedMessage[], settings: ThreadSettings): void {
  const most = Math.floor(settings.budget.limit / 4);
  prepared.forEach(({ row }, i) => {
    if (row.pinned && row.tokens > most) {
      throw new SpillwayError('pinned_too_large', `A pinned message may take at most ${most} tokens here.`, [
        { path: `/messages/${i}`, message: `takes ${row.tokens} tokens` },
      ]);
    }
  });
}

/** System messages at the start of a batch. */
export const leadingCount = (prepared: readonly PreparedMessage[]): number => {
  const first = prepared.findIndex((message) => !message.isSystem);
  return first < 0 ? prepared.length : first;
};
