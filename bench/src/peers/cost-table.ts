import { round, type Row } from '../bench.js';
import type { PeerResult } from './measure-peer.js';
import type { Cost } from './run-turns.js';

/** Where Spillway is compared with the others. */
const comparedAt = 1_000;
/** How many times as long a turn of another should take. */
const targets = { langgraph: 100, other: 10 };
const maxStoredRatio = 1.5;
const maxStallMs = 500;
/** Share of turns that may return another text than the model's reply: Mastra gives an earlier one now and then. */
const maxOtherReplies = 0.01;

const numbered = (value: number): string => Math.round(value).toLocaleString('en-US');
const shortOf = (name: string): string => name.replace(/ [\d.]+/, '');

/** One row for each cost, then what is compared, then the stalls. */
export function rowsOfPeers(results: readonly PeerResult[], tokensPerCharacter: number): Row[] {
  const spillway = results.find(({ kind }) => kind === 'spillway')!;
  const others = results.filter(({ kind }) => kind !== 'spillway');
  const turns = [...new Set(results.flatMap(({ costs }) => costs.map(({ turn }) => turn)))].sort(
    (a, b) => a - b,
  );
  return [
    ...turns.flatMap((turn) =>
      results.flatMap((result) =>
        result.costs
          .filter((cost) => cost.turn === turn)
          .map((cost) => costRow(result, cost, tokensPerCharacter)),
      ),
    ),
    ...others.map((other) => comparison(spillway, other)),
    storedRow(spillway),
    ...results.flatMap(stallRow),
  ];
}

function costRow(
  { name, costs, stopped, otherReplies }: PeerResult,
  cost: Cost,
  tokensPerCharacter: number,
): Row {
  const { turn, p50, p99, logBytes, stored, agentCharacters, summaryCharacters } = cost;
  const tokens = [agentCharacters, summaryCharacters].map((characters) =>
    numbered(characters * tokensPerCharacter),
  );
  const end =
    stopped?.turn === turn ? `; stopped at ${numbered(turn)} after ${round(stopped.seconds, 0)} s` : '';
  const others =
    otherReplies > 0 && cost === costs.at(-1)
      ? `; ${numbered(otherReplies)} of its turns returned another text than the model's reply`
      : '';
  return {
    what: `turn ${numbered(turn)}: ${name}`,
    value: `p50 ${round(p50)} ms, p99 ${round(p99)} ms, ${round(logBytes / 1_000)} KB written a turn${end}${others}`,
    against: `${round(stored.bytes / 1e6)} MB and ${numbered(stored.rows)} rows stored; ${tokens[0]} tokens to the agent's model and ${tokens[1]} for summaries a turn`,
    target: '',
    reached: null,
  };
}

/** Costs of two at turn 1,000, or at the last turn that the other reached before it. */
function comparison(spillway: PeerResult, other: PeerResult): Row {
  const [ours, theirs] = [costAt(spillway, comparedAt), costAt(other, comparedAt)];
  const time = theirs.p50 / ours.p50;
  const written = theirs.logBytes / ours.logBytes;
  const stored = theirs.stored.bytes / theirs.messageBytes / (ours.stored.bytes / ours.messageBytes);
  const target = other.kind === 'langgraph' ? targets.langgraph : targets.other;
  return {
    what: `${shortOf(other.name)}, by Spillway`,
    value: `${round(time)} x the time, ${round(written)} x the bytes written, ${round(stored)} x the bytes stored`,
    against: `turn ${numbered(theirs.turn)}, Spillway's ${numbered(ours.turn)}`,
    target: `>= ${target} x the time`,
    reached: time >= target,
    guarded: {
      time: { value: time, better: 'more', within: 0.5 },
      written: { value: written, better: 'more', within: 0.3 },
    },
  };
}

function storedRow(spillway: PeerResult): Row {
  const { stored, messageBytes, turn } = costAt(spillway, comparedAt);
  const last = spillway.costs.at(-1)!;
  const ratio = stored.bytes / messageBytes;
  return {
    what: `Spillway stores, by the messages' size`,
    value: `${round(ratio, 2)} x at turn ${numbered(turn)}, ${round(last.stored.bytes / last.messageBytes, 2)} x at ${numbered(last.turn)}`,
    against: `${round(messageBytes / 1e6)} MB of messages`,
    target: `<= ${maxStoredRatio} x`,
    reached: ratio <= maxStoredRatio,
    guarded: { stored: { value: ratio, better: 'less', within: 0.1 } },
  };
}

function stallRow({ name, kind, stall }: PeerResult): Row[] {
  if (!stall) return [];
  const isOurs = kind === 'spillway';
  return [
    {
      what: `longest stall under a model of 5 s: ${name}`,
      value: `${numbered(stall.longest)} ms`,
      against: `${numbered(stall.median)} ms, the median turn; ${stall.summaries} summaries meanwhile`,
      target: isOurs ? `<= ${maxStallMs} ms` : '',
      reached: isOurs ? stall.longest <= maxStallMs : null,
    },
  ];
}

/** The cost at a turn, or at the last turn before it. */
function costAt({ name, costs }: PeerResult, turn: number): Cost {
  const cost = costs.findLast((cost) => cost.turn <= turn);
  if (!cost) throw new Error(`${name} has no cost up to turn ${turn}.`);
  return cost;
}

/** What makes the measurement invalid. */
export const complaintsOf = (results: readonly PeerResult[]): string[] =>
  results.flatMap(({ name, kind, costs, stopped, otherReplies, stall }) => [
    ...(otherReplies > (kind === 'spillway' ? 0 : maxOtherReplies * costs.at(-1)!.turn)
      ? [`${name} returned another text than the model's reply ${otherReplies} times`]
      : []),
    ...(kind === 'spillway' && stopped && stopped.turn < comparedAt
      ? [`${name} was stopped at turn ${stopped.turn}`]
      : []),
    ...(stall && stall.summaries === 0 ? [`${name} got no summary while its stalls were measured`] : []),
    ...(stall && costs.every(({ summaryCharacters }) => summaryCharacters === 0)
      ? [`${name} asked for no summary`]
      : []),
    ...(costs.some(({ agentCharacters }) => agentCharacters === 0) ? [`${name} did not ask the model`] : []),
  ]);
