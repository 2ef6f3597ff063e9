import { median } from '../bench.js';
import type { Model } from './model.js';
import type { PeerProcess } from './peer-process.js';

/** Milliseconds of the model's answers: an agent that is fast, and a summary that is slow. */
const delay = { agent: 200, summary: 5_000 };
const turns = 40;
const maxSeconds = 15;

export interface Stall {
  /** Milliseconds of turns, without the agent's own model. */
  longest: number;
  median: number;
  /** Summaries that the model sent in the meantime. */
  summaries: number;
}

/** The longest that a turn is held up by all but its own model call, while a summary takes five seconds. */
export async function longestStall(
  peer: PeerProcess,
  model: Model,
  textOf: (number: number) => string,
): Promise<Stall> {
  const held: number[] = [];
  const before = model.summaries;
  const started = performance.now();
  model.delay = delay;
  model.sent();
  while (held.length < turns && performance.now() - started < maxSeconds * 1_000) {
    // Numbers that no message of the costs has.
    const number = -2 * (held.length + 1);
    model.reply = textOf(number);
    const { ms } = await peer.turn(textOf(number + 1));
    held.push(ms - model.sent().agent.calls * delay.agent);
  }
  model.delay = { agent: 0, summary: 0 };
  return { longest: Math.max(...held), median: median(held), summaries: model.summaries - before };
}
