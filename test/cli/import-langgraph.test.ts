import {
  AIMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { besideModelWarning, runProgram, valuesOf } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
const folder = testFolder();
beforeAll(async () => {
  stack = await borrowedStack('api');
});

const answers: BaseMessage[] = [
  new AIMessage({ id: 'a1', content: '', tool_calls: [{ id: 'c', name: 'sh', args: {} }] }),
  new ToolMessage({ id: 't', content: 'ok', tool_call_id: 'c' }),
  new AIMessage({ id: 'a2', content: 'Done.' }),
];

/** A graph that answers in steps, with what its checkpointer kept. */
async function runGraph() {
  const checkpointer = new MemorySaver();
  const say = (i: number) => () => ({ messages: [answers[i]!] });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', say(0))
    .addNode('tool', say(1))
    .addNode('end', say(2))
    .addEdge(START, 'model')
    .addEdge('model', 'tool')
    .addEdge('tool', 'end')
    .compile({ checkpointer });
  const config = { configurable: { thread_id: 'graph' } };
  const before = new Date().toISOString();
  const asked = [
    new SystemMessage({ id: 's', content: 'Be kind.' }),
    new HumanMessage({ id: 'h', content: 'Go.' }),
  ];
  await graph.invoke({ messages: asked }, config);
  return { graph, checkpointer, config, before };
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

interface Line {
  type: string;
  id: string;
  sent_at: string | null;
}

async function imported(name: string, document: unknown): Promise<{ ids: string[]; times: string[] }> {
  const file = folder.fileWith(`${name}.json`, JSON.stringify(document));
  const report = await runProgram(stack, ['import', file, '--thread', name, '--json']);
  expect({ code: report.code, stderr: besideModelWarning(report.stderr) }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(report.stdout)).toMatchObject({ source: 'langgraph', recorded: 5 });
  const { stdout } = await runProgram(stack, ['export', name]);
  const messages = valuesOf<Line>(stdout).filter(({ type }) => type === 'message');
  return { ids: messages.map(({ id }) => id), times: messages.map(({ sent_at: at }) => String(at)) };
}

test('what a graph of LangGraph kept is imported with the times of its steps', async () => {
  const { graph, checkpointer, config, before } = await runGraph();
  const states = await all(graph.getStateHistory(config));
  const tuples = await all(checkpointer.list(config));
  const steps = states.map(({ createdAt }) => createdAt!).sort();
  expect(steps.length).toBeGreaterThanOrEqual(5);
  for (const [name, document] of Object.entries({ states, tuples })) {
    const { ids, times } = await imported(name, document);
    expect(ids).toEqual(['s', 'h', 'a1', 't', 'a2']);
    // The question came with one step, each answer with the next.
    expect(times).toEqual([steps.at(-4), ...steps.slice(-4)]);
    expect(times[0]! >= before).toBe(true);
  }
  const [last] = tuples;
  for (const [name, document] of Object.entries({ 'one-state': states[0], 'one-tuple': last })) {
    const { times } = await imported(name, document);
    expect(times).toEqual(['null', 'null', 'null', 'null', steps.at(-1)]);
  }
});
