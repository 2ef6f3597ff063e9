import {
  loadCounter,
  outlineOf,
  previewOf,
  slicesForCounting,
  type CounterName,
  type OutlineItem,
  type OutputKind,
  type Preview,
  type PreviewRoom,
} from '@spillway/engine';
import { factsOf, type TextFacts } from './text-facts.js';

/** A counter by name, because functions cannot be sent to a thread. */
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

export const readFacts = ({ text }: { text: string }): TextFacts => factsOf(text);

export const makeOutline = (task: { bytes: Uint8Array; kind: OutputKind }): OutlineItem[] =>
  outlineOf(Buffer.from(task.bytes).toString('utf8'), task.kind);
