import { LeftOut, type ReadMessage, type ReadSession } from '../imported-session.js';
import { idFromPosition, idFromSource } from './message-id.js';
import { objectOr, textOrNull, type JsonObject } from './json-value.js';
import { piMessage } from './pi-message.js';
import type { Entry, SourceFile } from './source-file.js';

/*
 * Sessions of pi, ~/.pi/agent/sessions/<path>/<time>_<id>.jsonl, documented in docs/session-format.md and
 * docs/message-types.md of the npm package `@earendil-works/pi-coding-agent`: a header, then a tree of entries by `id`
 * and `parentId`, whose last entry is where the session stands. Version 1 has no ids and is a list.
 */

export const isPi = ({ entries }: SourceFile): boolean =>
  entries[0]?.value.type === 'session' && typeof entries[0].value.id === 'string';

export function readPi({ name, entries: [header, ...entries] }: SourceFile): ReadSession {
  const leftOut = new LeftOut();
  const branch = branchOf(entries);
  const prompt = new Map<string, string>();
  const messages: ReadMessage[] = [];
  let model: string | null = null;
  branch.forEach((entry, i) => {
    const { value, line } = entry;
    if (value.type === 'model_change') model = textOrNull(value.modelId) ?? model;
    const inner = objectOr(value.message);
    if (value.type === 'message' && inner.role === 'system') return replay(prompt, inner);
    if (inner.role === 'assistant') model = textOrNull(inner.model) ?? model;
    const message = piMessage(value, leftOut, { name, line });
    if (!message) return;
    const id = typeof value.id === 'string' ? idFromSource(value.id) : idFromPosition(i, message);
    messages.push({ id, message, line, at: value.timestamp ?? inner.timestamp });
  });
  const on = new Set(branch);
  for (const entry of entries)
    if (!on.has(entry))
      leftOut.add(
        entry.value.type === 'message' ? 'messages of other branches' : 'entries of other branches',
      );
  return {
    format: 'anthropic',
    sessionId: textOrNull(header?.value.id),
    model,
    system: textOrNull([...prompt.values()].join('\n\n')),
    messages,
    otherIds: new Set(
      entries.flatMap(({ value }) => (typeof value.id === 'string' ? [idFromSource(value.id)] : [])),
    ),
    leftOut,
  };
}

function branchOf(entries: readonly Entry[]): Entry[] {
  if (entries.every(({ value }) => typeof value.id !== 'string')) return [...entries];
  const byId = new Map(entries.map((entry) => [entry.value.id, entry]));
  const branch: Entry[] = [];
  const seen = new Set<Entry>();
  for (let entry = entries.at(-1); entry && !seen.has(entry); entry = byId.get(entry.value.parentId)) {
    seen.add(entry);
    branch.unshift(entry);
  }
  return branch;
}

/** System messages change named sections of the prompt; null removes one. */
function replay(prompt: Map<string, string>, { content, sections }: JsonObject): void {
  if (textOrNull(content) !== null) prompt.set('', String(content));
  for (const [name, text] of Object.entries(objectOr(sections))) {
    if (textOrNull(text) === null) prompt.delete(name);
    else prompt.set(name, String(text));
  }
}
