import { readMessage, type Exported, type Part } from '@spillway/service';
import { outputRef } from '../outputs/output.view.js';
import { summaryView } from '../summaries/summary.view.js';
import { threadView } from '../threads/thread.view.js';
import { fenced, inlineCode } from './fenced.js';

type Item<T extends Exported['type']> = Extract<Exported, { type: T }>;

/** A piece of an export for people. Thread content is put in fences, so that none of it is read as Markdown. */
export function asMarkdown(item: Exported): string {
  if (item.type === 'thread') return headOf(item);
  if (item.type === 'message') return messageOf(item);
  if (item.type === 'summary') return summaryOf(item);
  // A converted history is of JSON lines alone.
  return item.type === 'instruction' ? instructionOf(item) : '';
}

function instructionOf({ instruction: { seq, source, state, text } }: Item<'instruction'>): string {
  return `\n## Standing instruction · ${source} · message ${seq} · ${state}\n\n${fenced(text)}`;
}

function headOf({ thread: row }: Item<'thread'>): string {
  const thread = threadView(row);
  const facts = [
    `Model: ${thread.model === null ? 'not set' : inlineCode(thread.model)}`,
    `Messages: ${thread.last_seq}`,
    `Tokens: ${thread.total_tokens} recorded, ${thread.live_tokens} in the context`,
    `Created: ${thread.created_at}`,
    `Last change: ${thread.updated_at}`,
  ];
  const system = thread.system === null ? '' : `\n## System prompt\n\n${fenced(thread.system)}`;
  return `# Thread ${inlineCode(thread.id)}\n\n${facts.map((fact) => `- ${fact}\n`).join('')}${system}`;
}

function messageOf({ message: { row, format, body, outputs } }: Item<'message'>): string {
  const notes = [
    ...(row.pinned ? ['pinned'] : []),
    ...(row.rewoundBefore > 0 ? ['rewound'] : []),
    ...(row.erasedAt ? [`erased ${row.erasedAt.toISOString()}`] : []),
  ];
  const recorded = row.createdAt.toISOString();
  const times = row.sentAt ? [row.sentAt.toISOString(), `recorded ${recorded}`] : [recorded];
  const title = [`${row.seq} · ${row.role}`, ...times, ...notes].join(' · ');
  const gone = outputs.map(outputRef).filter((output) => output.state !== 'ready');
  const words = gone.map(
    ({ id, state, bytes }) =>
      `The stored output ${id} (${bytes} bytes) is ${state}: what follows is the stub that the model saw.\n\n`,
  );
  const parts = readMessage({ format, body })
    .parts.map(partOf)
    .filter((text) => text !== '');
  return `\n## ${title}\n\n${words.join('')}${parts.join('\n') || 'No content.\n'}`;
}

function partOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return fenced(part.text);
    case 'reasoning':
      return part.text === '' ? '' : `Reasoning:\n\n${fenced(part.text)}`;
    case 'call':
      return `Tool call ${inlineCode(part.name)}, id ${inlineCode(part.id)}:\n\n${fenced(part.input)}`;
    case 'result':
      return `Result of ${inlineCode(part.callId)}:\n\n${part.parts.map(partOf).join('\n')}`;
    case 'media':
      return `A part of kind ${part.kind}, not shown.\n`;
    case 'other':
      return fenced(JSON.stringify(part.value, null, 2) ?? '');
  }
}

function summaryOf({ summary: row, thread }: Item<'summary'>): string {
  const summary = summaryView(row, thread);
  const notes = [
    summary.method,
    ...(summary.active ? ['active'] : []),
    ...(row.withdrawnAt ? ['withdrawn'] : []),
    ...(row.rewoundBefore > 0 ? ['rewound'] : []),
  ];
  const range = `messages ${summary.from_seq}–${summary.to_seq}`;
  return `\n## Summary, generation ${summary.generation} · ${range} · ${notes.join(', ')}\n\n${fenced(summary.text)}`;
}
