import { isObject, objectOr, type JsonObject } from '../json-value.js';
import { timeOf } from '../message-time.js';
import type { Entry, SourceFile } from '../source-file.js';

/** The messages of a thread of LangGraph at one moment. */
export interface State {
  messages: readonly Entry[];
  /** When it was written: after the step that made its newest message. */
  time: unknown;
  config: JsonObject;
}

const valuesOf = ({ values, channel_values: channels, checkpoint }: JsonObject): unknown =>
  values ?? channels ?? objectOr(checkpoint).channel_values;

/** A checkpoint has `ts`; a snapshot of a state has `created_at` in Python and `createdAt` in JavaScript. */
const writtenAt = ({ ts, created_at: inPython, createdAt, checkpoint }: JsonObject): unknown =>
  ts ?? inPython ?? createdAt ?? objectOr(checkpoint).ts;

const configOf = (document: JsonObject): JsonObject => objectOr(objectOr(document.config).configurable);

/** Whether the entries are states themselves, as getStateHistory() and the list() of a checkpointer give them. */
export const isHistory = ({ entries }: SourceFile): boolean =>
  entries.every(({ value }) => isObject(valuesOf(value))) &&
  entries.some(({ value }) => Array.isArray(objectOr(valuesOf(value)).messages));

/** The states in a file, the newest first. Of a list of messages it is one. */
export function statesOf(file: SourceFile): [State, ...State[]] {
  if (!isHistory(file)) {
    const document = objectOr(file.document);
    return [{ messages: file.entries, time: writtenAt(document), config: configOf(document) }];
  }
  const states = file.entries.map(({ value, line }): State => {
    const { messages } = objectOr(valuesOf(value));
    const list = Array.isArray(messages) ? (messages as unknown[]) : [];
    return {
      messages: list.map((message) => ({ value: objectOr(message), line })),
      time: writtenAt(value),
      config: configOf(value),
    };
  });
  // LangGraph lists the newest first; a file of lines that were written as they came has it last.
  const sortKey = ({ time }: State): string => timeOf(time) ?? '';
  return states.sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : sortKey(a) > sortKey(b) ? -1 : 0)) as [
    State,
    ...State[],
  ];
}

/**
 * When each message was written, by id: the time of the oldest state that has it. Of the oldest state of all that is
 * known of its newest message alone.
 */
export function timesOf(states: readonly { ids: readonly string[]; time: unknown }[]): Map<string, unknown> {
  const times = new Map<string, unknown>();
  states.toReversed().forEach(({ ids, time }, i) => {
    for (const [at, id] of ids.entries())
      if (!times.has(id)) times.set(id, i > 0 || at === ids.length - 1 ? time : null);
  });
  return times;
}
