import { median, quantile } from '../bench.js';
import { messageBytes } from './conversation.js';
import type { DatabaseCost, Stored } from './database-cost.js';
import type { Model, Sent } from './model.js';
import type { PeerProcess } from './peer-process.js';

export const milestones = [100, 1_000, 5_000];
/** A cost is that of the turns just before a milestone, so many that each peer summarizes in them. */
export const windowTurns = 80;

/** Seconds of turns after which a peer is stopped: before turn 1,000, and after it. */
const maxSeconds = { toSecondMilestone: 75, beyond: 40 };

export interface MeasuredTurn {
  ms: number;
  sent: Sent;
  /** Of write-ahead log, until the next turn began. */
  logBytes: number;
}

/** What a turn costs at some length of the thread. */
export interface Cost {
  turn: number;
  p50: number;
  p99: number;
  /** Means of a turn. */
  logBytes: number;
  agentCharacters: number;
  summaryCharacters: number;
  /** Of the whole thread so far. */
  stored: Stored;
  messageBytes: number;
}

export interface TurnsRun {
  costs: Cost[];
  /** Where it took too long, in seconds of turns. */
  stopped: { turn: number; seconds: number } | null;
  /** Turns that returned another text than the model's reply. */
  otherReplies: number;
}

export interface TurnsOptions {
  peer: PeerProcess;
  model: Model;
  database: DatabaseCost;
  textOf: (number: number) => string;
}

/** Runs turns until the last milestone, or until the peer is stopped. */
export async function runTurns({ peer, model, database, textOf }: TurnsOptions): Promise<TurnsRun> {
  const turns: MeasuredTurn[] = [];
  const costs: Cost[] = [];
  let elapsed = 0;
  let otherReplies = 0;
  let log = await database.logBytes();
  model.sent();
  for (;;) {
    const turn = turns.length + 1;
    model.reply = textOf(2 * turn);
    const { ms, reply } = await peer.turn(textOf(2 * turn - 1));
    if (reply !== model.reply) otherReplies++;
    const now = await database.logBytes();
    turns.push({ ms, sent: model.sent(), logBytes: now - log });
    log = now;
    elapsed += ms;
    const seconds = elapsed / 1_000;
    const isTooSlow = seconds > (turn < milestones[1]! ? maxSeconds.toSecondMilestone : maxSeconds.beyond);
    const isLast = turn === milestones.at(-1);
    const isMilestone = milestones.includes(turn);
    if (isMilestone || isTooSlow) costs.push(costOf(turns, await database.stored()));
    if (isLast || isTooSlow) return { costs, stopped: isLast ? null : { turn, seconds }, otherReplies };
  }
}

/** The cost of the last turns of a run. */
export function costOf(turns: readonly MeasuredTurn[], stored: Stored): Cost {
  const window = turns.slice(-windowTurns);
  const mean = (of: (turn: MeasuredTurn) => number): number =>
    window.reduce((sum, turn) => sum + of(turn), 0) / window.length;
  const took = window.map(({ ms }) => ms);
  return {
    turn: turns.length,
    p50: median(took),
    p99: quantile(took, 0.99),
    logBytes: mean(({ logBytes }) => logBytes),
    agentCharacters: mean(({ sent }) => sent.agent.characters),
    summaryCharacters: mean(({ sent }) => sent.summary.characters),
    stored,
    messageBytes: 2 * turns.length * messageBytes,
  };
}
