import { LeftOut, type ReadMessage, type ReadSession } from '../imported-session.js';
import { idOfItem } from './message-id.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from './json-value.js';
import { refuse, type SourceFile } from './source-file.js';

/*
 * Rollouts of Codex, ~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl: lines {timestamp, type, payload}
 * as `RolloutLine` in codex-rs/protocol/src/protocol.rs of github.com/openai/codex. A `response_item` holds an item of
 * the Responses API; `session_meta` has the instructions, `turn_context` the model; events repeat what items say, except
 * `thread_rolled_back`, which takes turns back.
 */

const types = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

export const isCodex = ({ entries }: SourceFile): boolean =>
  entries.length > 0 && types.has(String(entries[0]!.value.type)) && isObject(entries[0]!.value.payload);

export function readCodex({ name, entries }: SourceFile): ReadSession {
  const leftOut = new LeftOut();
  const otherIds = new Set<string>();
  let items: ReadMessage[] = [];
  let meta: JsonObject | null = null;
  let model: string | null = null;
  for (const { value, line } of entries) {
    const { type, payload, timestamp } = value;
    if (!isObject(payload)) return refuse(name, line, 'The line has no payload.');
    if (type === 'session_meta') meta ??= payload;
    else if (type === 'turn_context') {
      model = textOrNull(payload.model) ?? model;
      leftOut.add('contexts of turns');
    } else if (type === 'compacted') leftOut.add('compactions');
    else if (type === 'event_msg' && payload.type === 'thread_rolled_back') {
      const kept = withoutTurns(items, Number(payload.num_turns));
      leftOut.add('items of turns that were taken back', items.length - kept.length);
      items = kept;
    } else if (type === 'response_item' && isItem(payload)) {
      const item = itemOf(payload, items.length, line, timestamp);
      otherIds.add(item.id);
      items.push(item);
    } else if (type === 'response_item' && payload.type !== 'ghost_snapshot')
      return refuse(name, line, 'The item has no type that can be read.');
    else leftOut.add(type === 'event_msg' ? 'events' : `lines of type ${String(payload.type ?? type)}`);
  }
  return {
    format: 'responses',
    sessionId: textOrNull(meta?.id),
    model,
    system: textOrNull(objectOr(meta?.base_instructions).text) ?? textOrNull(meta?.instructions),
    messages: items,
    otherIds,
    leftOut,
  };
}

const isItem = ({ type, role }: JsonObject): boolean =>
  textOrNull(type) !== null && type !== 'ghost_snapshot' && (type !== 'message' || textOrNull(role) !== null);

function itemOf(payload: JsonObject, index: number, line: number, at: unknown): ReadMessage {
  // Rust writes fields without a value as null, which the Responses API does not take for ids.
  const fields = Object.entries(payload).filter(
    ([key, value]) => !((key === 'id' || key === 'call_id') && value === null),
  );
  const message = Object.fromEntries(fields);
  const own = textOrNull(message.id);
  const { id: _, ...rest } = message;
  return { ...idOfItem(own, index, rest), message: own === null ? rest : message, line, at };
}

/** Text with which Codex begins messages of the user that the user did not write. */
const contextual = /^\s*(<[a-z_]+>|# AGENTS\.md instructions)/;

const beginsTurn = ({ message }: ReadMessage): boolean =>
  message.role === 'user' &&
  !arrayOr(message.content).every((part) => contextual.test(textOrNull(objectOr(part).text) ?? ''));

function withoutTurns(items: readonly ReadMessage[], turns: number): ReadMessage[] {
  const starts = items.flatMap((item, i) => (beginsTurn(item) ? [i] : []));
  const first = turns >= 1 ? starts.at(-Math.min(turns, starts.length)) : undefined;
  return first === undefined ? [...items] : items.slice(0, first);
}
