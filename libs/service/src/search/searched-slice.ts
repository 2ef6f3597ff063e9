import {
  kindOf,
  readMessage,
  resultsOf,
  searchableMessage,
  textOfParts,
  type Message,
  type SearchTerms,
} from '@spillway/engine';
import {
  callersOf,
  readableOutputsBetween,
  rewoundAmong,
  searchMessages,
  type FoundMessage as FoundRow,
} from '@spillway/store';
import { storedOf } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import { rolesOf, type SearchFilters } from './search-filters.js';
import type { Found } from './search-hit.js';
import { searchOutput, type SearchedOutput } from './search-outputs.js';
import type { FoundMessage, SearchSlice } from './search-range.js';

export interface SliceSearch {
  projectId: string;
  threadUid: string;
  from: number;
  through: number;
  terms: SearchTerms;
  filters: SearchFilters;
  withOutputs: boolean;
}

/** Reads the newest slice of a range, with the outputs of its messages. */
export async function searchedSlice(rt: Runtime, search: SliceSearch): Promise<SearchSlice> {
  const { terms, filters, withOutputs } = search;
  const parts = terms.terms.map(({ stem }) => stem);
  const { from, found } = await searchMessages(rt.store.query, {
    ...search,
    parts,
    roles: rolesOf(filters),
  });
  const hasOutputs = withOutputs && (filters.role === undefined || filters.role === 'tool');
  const outputs = hasOutputs ? await outputsOfContext(rt, { ...search, from }) : [];
  const messages = found.map((row) => ({ row, message: readMessage(storedOf(row)) }));
  const tools = filters.tool === undefined ? null : await toolsOf(rt, search, messages);
  return { from, messages: newestFirst(rt, search, { messages, outputs, tools }) };
}

/** Outputs of a range, without those of rewound messages. */
async function outputsOfContext(rt: Runtime, of: SliceSearch): Promise<SearchedOutput[]> {
  const outputs = await readableOutputsBetween(rt.store, of);
  if (outputs.length === 0) return [];
  const seqs = outputs.map(({ seq }) => seq!);
  const rewound = await rewoundAmong(rt.store.query, of.projectId, of.threadUid, seqs);
  return outputs.filter(({ seq }) => !rewound.has(seq!));
}

interface ReadRow {
  row: FoundRow;
  message: Message;
}

/** By call id and the seq of its result, the name of the tool. Results do not say it in every format. */
async function toolsOf(
  rt: Runtime,
  of: SliceSearch,
  messages: readonly ReadRow[],
): Promise<Map<string, string>> {
  const answered = messages.flatMap(({ row, message }) =>
    searchableMessage(message).answers.map((id) => ({ id, seq: row.seq })),
  );
  const callers = await callersOf(rt.store.query, of, answered);
  return new Map(
    callers.flatMap(({ callId, ofSeq, ...row }) => {
      const call = searchableMessage(readMessage(storedOf(row))).calls.find(({ id }) => id === callId);
      return call ? [[`${ofSeq} ${callId}`, call.name] as const] : [];
    }),
  );
}

async function* newestFirst(
  rt: Runtime,
  { terms, filters }: SliceSearch,
  {
    messages,
    outputs,
    tools,
  }: {
    messages: readonly ReadRow[];
    outputs: readonly SearchedOutput[];
    tools: ReadonlyMap<string, string> | null;
  },
): AsyncGenerator<FoundMessage> {
  const messageOf = new Map(messages.map((one) => [one.row.seq, one]));
  const outputsOf = Map.groupBy(outputs, (output) => output.seq!);
  const seqs = [...new Set([...messageOf.keys(), ...outputsOf.keys()])].sort((a, b) => b - a);
  for (const seq of seqs) {
    const own = outputsOf.get(seq) ?? [];
    const read = messageOf.get(seq);
    const found: Found[] = read ? [foundIn(read, filters, tools, own)] : [];
    let cut = false;
    for (const output of own.filter((one) => isOutputAskedFor(one, filters))) {
      const { passages, cut: isCut } = await searchOutput(rt, output, terms);
      for (const { from, line, column, text } of passages) {
        const answers = output.toolCallId === null ? [] : [output.toolCallId];
        const at = { id: output.id, line, column: column + 1 };
        found.push({ seq, role: 'tool', output: at, from, text, answers, isAskedFor: true });
      }
      cut ||= isCut;
    }
    yield { seq, found, cut };
  }
}

function foundIn(
  { row, message }: ReadRow,
  filters: SearchFilters,
  tools: ReadonlyMap<string, string> | null,
  outputs: readonly SearchedOutput[],
): Found {
  const { text, calls, answers } = searchableMessage(message);
  const { role, tool, kind } = filters;
  const isOfTool = (): boolean =>
    calls.some(({ name }) => name === tool) ||
    answers.some((id) => tools?.get(`${row.seq} ${id}`) === tool) ||
    resultsOf(message).some(({ name }) => name === tool);
  const isOfKind = (): boolean =>
    outputs.some((output) => output.kind === kind) ||
    resultsOf(message).some(({ parts }) => kindOf(textOfParts(parts)) === kind);
  const isAskedFor =
    (role === undefined || row.role === role) &&
    (tool === undefined || isOfTool()) &&
    (kind === undefined || isOfKind());
  return { seq: row.seq, role: row.role, output: null, from: 1, text, calls, answers, isAskedFor };
}

const isOutputAskedFor = (output: SearchedOutput, { tool, kind }: SearchFilters): boolean =>
  (tool === undefined || output.tool === tool) && (kind === undefined || output.kind === kind);
