import { conversationOverhead } from './budget.js';
import type { Entry } from './entry.js';
import { fitContext, type Elided } from './fit.js';
import { countOpenAI, readOpenAI, toolResult, userMessage } from './formats/openai.js';
import type { Body } from './message.js';
import { shortenMessage } from './shorten.js';
import type { CountTokens } from './tokens/counter.js';
import { entriesOf, firstSeq, groupUnits, type Unit } from './unit.js';

export interface ContextPart {
  kind: 'system' | 'carried' | 'summary' | 'recent' | 'note';
  seq: number | null;
  tokens: number;
}

export interface ContextInput {
  limit: number;
  /** Tokens of the system prompt sent beside the messages. */
  systemTokens: number;
  leading: readonly Entry[];
  carried: readonly Entry[];
  /** What the model sees of the active summary, rendered; null without one. */
  summary: { text: string; tokens: number } | null;
  recent: readonly Entry[];
}

/** Which messages a context shows; their bodies are read only after this is known. */
export interface ContextOutline {
  input: ContextInput;
  carried: Unit[];
  shown: Unit[];
  shortened: Map<number, number>;
  elided: Elided[];
  degraded: boolean;
  seqs: number[];
}

export interface Context {
  messages: Body[];
  parts: ContextPart[];
  tokens: { total: number; system: number; summary: number; recent: number };
  elided: Elided[];
  degraded: boolean;
}

export type Outlined = { fits: true; outline: ContextOutline } | { fits: false; minimum: number };

/** First half of a context: decides on entries alone what is shown. */
export function outlineContext(input: ContextInput): Outlined {
  const leadingTokens = input.leading.reduce((sum, entry) => sum + entry.tokens, 0);
  const carried = groupUnits(input.carried);
  const fit = fitContext({
    limit: input.limit,
    fixed: input.systemTokens + conversationOverhead + leadingTokens + (input.summary?.tokens ?? 0),
    carried,
    recent: groupUnits(input.recent),
  });
  if (!fit.fits) return fit;
  const seqs = [...input.leading, ...input.carried, ...fit.shown.flatMap(entriesOf)].map(
    (entry) => entry.seq,
  );
  const { shown, shortened, elided } = fit;
  return {
    fits: true,
    outline: { input, carried, shown, shortened, elided, degraded: elided.length > 0, seqs },
  };
}

/**
 * Second half: leading system messages, the summary, carried messages, then the recent ones. Every tool result
 * follows its call; a call without a result is answered for it unless it is still open at the very end.
 */
export function assembleContext(
  outline: ContextOutline,
  bodies: ReadonlyMap<number, Body>,
  count: CountTokens,
): Context {
  const { input } = outline;
  const messages: Body[] = [];
  const parts: ContextPart[] = [];
  const add = (
    kind: ContextPart['kind'],
    seq: number | null,
    body: Body,
    tokens = countOpenAI(body, count),
  ) => {
    messages.push(body);
    parts.push({ kind, seq, tokens });
  };
  const show = (kind: ContextPart['kind'], entry: Entry) => {
    const body = bodies.get(entry.seq)!;
    const room = outline.shortened.get(entry.seq);
    if (room === undefined) add(kind, entry.seq, body, entry.tokens);
    else add(kind, entry.seq, shortenMessage(body, room, count));
  };

  const showUnit = (kind: ContextPart['kind'], unit: Unit, isLast: boolean) => {
    for (const entry of unit.members) show(kind, entry);
    // Calls at the very end are still being worked on.
    if (isLast && unit.unanswered.length > 0) return;
    for (const id of unit.unanswered)
      add('note', null, toolResult(id, '[no result was recorded for this call]'));
    for (const entry of unit.notes)
      add('note', entry.seq, resultNote(bodies.get(entry.seq)!, outline, entry, count));
  };

  for (const entry of input.leading) show('system', entry);
  if (input.summary) add('summary', null, userMessage(input.summary.text), input.summary.tokens);
  for (const unit of outline.carried) showUnit('carried', unit, false);
  const gaps = outline.elided.filter((gap) => gap.reason === 'over_budget');
  outline.shown.forEach((unit, i) => {
    while (gaps[0] && gaps[0].from_seq < firstSeq(unit)) add('note', null, gapNote(gaps.shift()!));
    showUnit('recent', unit, i === outline.shown.length - 1);
  });

  const of = (...kinds: ContextPart['kind'][]) =>
    parts.filter((part) => kinds.includes(part.kind)).reduce((sum, part) => sum + part.tokens, 0);
  const system = input.systemTokens + conversationOverhead + of('system');
  const tokens = { system, summary: of('summary'), recent: of('carried', 'recent', 'note') };
  return {
    messages,
    parts,
    tokens: { total: tokens.system + tokens.summary + tokens.recent, ...tokens },
    elided: outline.elided,
    degraded: outline.degraded,
  };
}

const gapNote = (gap: Elided): Body =>
  userMessage(
    `[Messages ${gap.from_seq}-${gap.to_seq} are not shown: they are over the budget and not summarized yet.]`,
  );

/** A result that answers no call in this context may not be sent as a tool message; the model gets it as a note. */
function resultNote(body: Body, outline: ContextOutline, entry: Entry, count: CountTokens): Body {
  const room = outline.shortened.get(entry.seq);
  const message = readOpenAI(room === undefined ? body : shortenMessage(body, room, count));
  const of = message.name ? ` of ${message.name.slice(0, 40)}` : '';
  return userMessage(
    `[Result${of} for a tool call that is not in this context (${entry.answers?.slice(0, 40)}):]\n${message.text}`,
  );
}
