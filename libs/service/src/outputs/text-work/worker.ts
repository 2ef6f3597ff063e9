import {
  kindOf,
  loadCounter,
  outlineOf,
  previewEnds,
  previewOf,
  slicesForCounting,
  type CounterName,
  type OutlineItem,
  type OutputKind,
  type Preview,
  type PreviewRoom,
} from '@spillway/engine';
import { factsOf, type TextFacts } from './text-facts.js';

/** A counter by name, since functions cannot be sent to a thread. */
export interface CounterChoice {
  name: CounterName;
  charsPerToken: number;
}

export async function countText(task: { text: string; counter: CounterChoice }): Promise<number> {
  const count = await loadCounter(task.counter.name, task.counter.charsPerToken);
  let total = 0;
  for (const slice of slicesForCounting(task.text)) total += count(slice);
  return total;
}

export async function makePreview(task: {
  text: string;
  room: PreviewRoom;
  counter: CounterChoice;
}): Promise<Preview> {
  return previewOf(task.text, task.room, await loadCounter(task.counter.name, task.counter.charsPerToken));
}

/** When bytes are missing, the ends are shown and not counted. */
export async function describeEnds(task: {
  bytes: Uint8Array;
  isWhole: boolean;
  /** Lines of the whole text. */
  lines: number;
  room: PreviewRoom;
  counter: CounterChoice;
}): Promise<{ preview: Preview; tokens: number | null }> {
  const { isWhole, lines, room, counter } = task;
  const text = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.length).toString('utf8');
  const count = await loadCounter(counter.name, counter.charsPerToken);
  if (!isWhole)
    return { preview: { ...previewEnds(text, lines, room, count), kind: kindOf(text) }, tokens: null };
  return { preview: previewOf(text, room, count), tokens: await countText({ text, counter }) };
}

export const readFacts = ({ text }: { text: string }): TextFacts => factsOf(text);

export const makeOutline = (task: { bytes: Uint8Array; kind: OutputKind }): OutlineItem[] =>
  outlineOf(Buffer.from(task.bytes).toString('utf8'), task.kind);
