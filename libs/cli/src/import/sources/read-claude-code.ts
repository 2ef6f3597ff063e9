import { LeftOut, type ReadMessage, type ReadSession } from '../imported-session.js';
import { idFromSource } from './message-id.js';
import { arrayOr, isObject, objectOr, textOrNull, type JsonObject } from './json-value.js';
import { refuse, type Entry, type SourceFile } from './source-file.js';

/*
 * Sessions of Claude Code, ~/.claude/projects/<project>/<session>.jsonl. There is no public schema; the reader of
 * `getSessionMessages` in the npm package `@anthropic-ai/claude-agent-sdk` is the reference. Lines with a `uuid` form a
 * tree by `parentUuid`. One answer of the model has a line for each of its blocks, with the same `message.id`; of
 * parallel calls only one is on the way to the last line, so the others are found by that id and their results by the
 * ids of the calls. A compaction begins a new root, whose `logicalParentUuid` names the line before it.
 */

export const isClaudeCode = ({ entries }: SourceFile): boolean =>
  entries.some(({ value }) => typeof value.uuid === 'string' && 'parentUuid' in value && isSpoken(value)) ||
  entries.some(({ value }) => value.type === 'summary' && typeof value.leafUuid === 'string');

const isSpoken = ({ type, message }: JsonObject): boolean =>
  (type === 'user' || type === 'assistant') && isObject(message);
const isAside = (value: JsonObject): boolean =>
  value.isSidechain === true || textOrNull(value.teamName) !== null;
const uuidOf = ({ value }: Entry): string => String(value.uuid);
const answerOf = ({ value }: Entry): string => textOrNull(objectOr(value.message).id) ?? String(value.uuid);

export function readClaudeCode(file: SourceFile): ReadSession {
  const lines = file.entries.filter(({ value }) => typeof value.uuid === 'string');
  const byUuid = new Map(lines.map((line) => [uuidOf(line), line]));
  const spoken = lines.filter(({ value }) => isSpoken(value) && !isAside(value));
  const leaf = spoken.at(-1) ?? refuse(file.name, 1, 'The session has no messages.');
  const branch = branchTo(leaf, byUuid);
  const answers = grouped(
    spoken.filter(({ value }) => value.type === 'assistant'),
    (line) => [answerOf(line)],
  );
  const results = grouped(spoken, resultsOf);
  const used = new Set<Entry>();
  const messages: ReadMessage[] = [];
  const add = (parts: readonly Entry[]) => {
    const fresh = parts.filter((part) => !used.has(part));
    if (fresh.length === 0) return;
    for (const part of fresh) used.add(part);
    const message = messageOf(file, fresh);
    if (message) messages.push(message);
  };
  for (const line of branch.lines) {
    if (!isSpoken(line.value) || isAside(line.value) || leavesOut(line, branch)) continue;
    if (line.value.type === 'user') {
      add([line]);
      continue;
    }
    const answer = answers.get(answerOf(line))!;
    add(answer);
    // Their results follow at once, whichever branch they are on. Of two results of a call the one on this branch.
    for (const id of answer.flatMap(callsOf)) {
      const given = results.get(id) ?? [];
      add([...given.filter((result) => branch.uuids.has(uuidOf(result))), ...given].slice(0, 1));
    }
  }
  return {
    format: 'anthropic',
    sessionId: textOrNull(leaf.value.sessionId),
    model: modelOf(spoken),
    system: null,
    messages,
    otherIds: new Set(lines.map((line) => idFromSource(uuidOf(line)))),
    leftOut: leftOutOf(file.entries, used),
  };
}

/** Lines by their keys, in the order of the file. */
function grouped(lines: readonly Entry[], keysOf: (line: Entry) => readonly string[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const line of lines)
    for (const key of keysOf(line)) {
      const group = groups.get(key);
      if (group) group.push(line);
      else groups.set(key, [line]);
    }
  return groups;
}

interface Branch {
  lines: readonly Entry[];
  uuids: ReadonlySet<string>;
  /** The messages from before the last compaction are in the file. */
  isWhole: boolean;
}

function branchTo(leaf: Entry, byUuid: ReadonlyMap<string, Entry>): Branch {
  const lines: Entry[] = [];
  const uuids = new Set<string>();
  let isWhole = false;
  for (let line: Entry | undefined = leaf; line && !uuids.has(uuidOf(line));) {
    uuids.add(uuidOf(line));
    lines.unshift(line);
    const { parentUuid, logicalParentUuid }: JsonObject = line.value;
    const before: Entry | undefined =
      typeof parentUuid === 'string' ? byUuid.get(parentUuid) : byUuid.get(String(logicalParentUuid));
    if (parentUuid === null && before) isWhole = true;
    line = before;
  }
  return { lines, uuids, isWhole };
}

const isNotice = ({ value }: Entry): boolean =>
  value.isApiErrorMessage === true || objectOr(value.message).model === '<synthetic>';
const isSummary = ({ value }: Entry): boolean => value.isCompactSummary === true;

/** The messages that a summary stands for are imported themselves, if they are there. */
const leavesOut = (line: Entry, { isWhole }: Branch): boolean =>
  isNotice(line) || (isSummary(line) && isWhole);

const blocksOf = ({ value }: Entry): readonly unknown[] => {
  const { content } = objectOr(value.message);
  return typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOr(content);
};
const idsOf = (line: Entry, type: string, field: string): string[] =>
  blocksOf(line).flatMap((block) => (objectOr(block).type === type ? [String(objectOr(block)[field])] : []));
const callsOf = (line: Entry): string[] => idsOf(line, 'tool_use', 'id');
const resultsOf = (line: Entry): string[] => idsOf(line, 'tool_result', 'tool_use_id');

function messageOf(file: SourceFile, parts: readonly Entry[]): ReadMessage | null {
  const last = parts.at(-1)!;
  const { role, content } = objectOr(last.value.message);
  if (role !== last.value.type)
    return refuse(file.name, last.line, `A line of type ${String(last.value.type)} has another role.`);
  if (typeof content !== 'string' && !Array.isArray(content))
    return refuse(file.name, last.line, 'The content of the message must be a text or a list of blocks.');
  const blocks = parts.length === 1 ? content : parts.flatMap(blocksOf);
  if (blocks.length === 0) return null;
  return {
    // The last line: an answer that grew since the last import is another message.
    id: idFromSource(uuidOf(last)),
    message: { role, content: blocks },
    line: parts[0]!.line,
    at: last.value.timestamp,
  };
}

const modelOf = (spoken: readonly Entry[]): string | null =>
  textOrNull(
    spoken
      .map(({ value }) => objectOr(value.message).model)
      .findLast((model) => model !== '<synthetic>' && textOrNull(model)),
  );

function leftOutOf(entries: readonly Entry[], used: ReadonlySet<Entry>): LeftOut {
  const leftOut = new LeftOut();
  for (const entry of entries) {
    if (used.has(entry)) continue;
    const { value } = entry;
    if (value.subtype === 'compact_boundary') leftOut.add('compactions');
    else if (!isSpoken(value)) leftOut.add(`lines of type ${textOrNull(value.type) ?? 'unknown'}`);
    else if (isAside(value)) leftOut.add('messages of sidechains');
    else if (isSummary(entry)) leftOut.add('summaries of compactions');
    else if (isNotice(entry)) leftOut.add('error notices');
    else leftOut.add('messages of other branches');
  }
  return leftOut;
}
