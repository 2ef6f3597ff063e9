import { expect, test } from 'vitest';
import { complaintsOf, rowsOfPeers } from './cost-table.js';
import type { PeerResult } from './measure-peer.js';
import { costOf, windowTurns, type MeasuredTurn } from './run-turns.js';

const turn = (ms: number, logBytes = 1_000): MeasuredTurn => ({
  ms,
  logBytes,
  sent: { agent: { calls: 1, characters: 400 }, summary: { calls: 0, characters: 40 } },
});

const result = (name: string, kind: PeerResult['kind'], ms: number, turns: number[]): PeerResult => ({
  name,
  kind,
  costs: turns.map((count) =>
    costOf(
      Array.from({ length: count }, () => turn(ms)),
      { bytes: 3_000 * count, rows: count },
    ),
  ),
  stopped: null,
  otherReplies: 0,
  stall: { longest: 10, median: 5, summaries: 1 },
});

const spillway = result('Spillway', 'spillway', 2, [100, 1_000, 5_000]);
const langgraph = result('LangGraph.js 1.2.3, summarization', 'langgraph', 210, [100, 1_000]);

const rowOf = (results: PeerResult[], what: string) => {
  const row = rowsOfPeers(results, 0.25).find((row) => row.what === what);
  if (!row) throw new Error(`No row ${what}.`);
  return row;
};

test('a cost is that of the last turns alone', () => {
  const turns = [
    ...Array.from({ length: 500 }, () => turn(1_000, 99)),
    ...Array<MeasuredTurn>(windowTurns).fill(turn(4)),
  ];
  expect(costOf(turns, { bytes: 1, rows: 1 })).toMatchObject({
    turn: 500 + windowTurns,
    p50: 4,
    p99: 4,
    logBytes: 1_000,
    agentCharacters: 400,
    messageBytes: 2 * (500 + windowTurns) * 1_024,
  });
});

test('costs are ordered by the turn, with the tokens of the texts that were sent', () => {
  const rows = rowsOfPeers([spillway, langgraph], 0.25);
  expect(rows.slice(0, 5).map(({ what }) => what)).toEqual([
    'turn 100: Spillway',
    'turn 100: LangGraph.js 1.2.3, summarization',
    'turn 1,000: Spillway',
    'turn 1,000: LangGraph.js 1.2.3, summarization',
    'turn 5,000: Spillway',
  ]);
  expect(rows[0]).toMatchObject({
    value: 'p50 2.0 ms, p99 2.0 ms, 1.0 KB written a turn',
    against: "0.3 MB and 100 rows stored; 100 tokens to the agent's model and 10 for summaries a turn",
  });
});

test('LangGraph.js reaches 100 times, the others 10 times, at turn 1,000', () => {
  expect(rowOf([spillway, langgraph], 'LangGraph.js, summarization, by Spillway')).toMatchObject({
    reached: true,
    guarded: { time: { value: 105 } },
  });
  const slower = [spillway, { ...langgraph, kind: 'other' as const, name: 'Other 1.0, x' }];
  expect(rowOf(slower, 'Other, x, by Spillway')).toMatchObject({ target: '>= 10 x the time', reached: true });
  const near = [spillway, result('Near', 'other', 19, [1_000])];
  expect(rowOf(near, 'Near, by Spillway')).toMatchObject({ reached: false });
});

test('a peer that was stopped says where, and is compared there', () => {
  const stopped = { ...result('Slow', 'other', 90, [100, 412]), stopped: { turn: 412, seconds: 75.2 } };
  expect(rowOf([spillway, stopped], 'turn 412: Slow').value).toContain('stopped at 412 after 75 s');
  expect(rowOf([spillway, stopped], 'Slow, by Spillway').against).toBe("turn 412, Spillway's 1,000");
});

test('bytes stored are a share of the size of the messages', () => {
  expect(rowOf([spillway], "Spillway stores, by the messages' size")).toMatchObject({
    value: '1.46 x at turn 1,000, 1.46 x at 5,000',
    reached: true,
  });
});

test('a stall of Spillway over half a second misses the target', () => {
  const stalled = { ...spillway, stall: { longest: 501, median: 5, summaries: 1 } };
  expect(rowOf([stalled], 'longest stall under a model of 5 s: Spillway').reached).toBe(false);
  expect(rowOf([spillway], 'longest stall under a model of 5 s: Spillway').reached).toBe(true);
});

test('a measurement without summaries, or that never reaches turn 1,000, is not sound', () => {
  expect(complaintsOf([spillway, langgraph])).toEqual([]);
  const broken: PeerResult = {
    ...spillway,
    costs: spillway.costs.map((cost) => ({ ...cost, summaryCharacters: 0, agentCharacters: 0 })),
    stopped: { turn: 900, seconds: 75 },
    stall: { longest: 1, median: 1, summaries: 0 },
  };
  expect(complaintsOf([broken])).toEqual([
    'Spillway was stopped at turn 900',
    'Spillway got no summary while its stalls were measured',
    'Spillway asked for no summary',
    'Spillway did not ask the model',
  ]);
});

test('a peer may return another text than the reply now and then and says so, Spillway may not', () => {
  const [once, often] = [10, 11].map((otherReplies) => ({ ...langgraph, otherReplies }));
  expect(rowOf([spillway, once!], `turn 1,000: ${langgraph.name}`).value).toContain(
    "10 of its turns returned another text than the model's reply",
  );
  expect(rowOf([spillway, once!], `turn 100: ${langgraph.name}`).value).not.toContain('another text');
  expect(complaintsOf([spillway, once!])).toEqual([]);
  expect(complaintsOf([spillway, often!])).toHaveLength(1);
  expect(complaintsOf([{ ...spillway, otherReplies: 1 }])).toEqual([
    "Spillway returned another text than the model's reply 1 times",
  ]);
});
