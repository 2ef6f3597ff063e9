import type { PolicyInput } from '@spillway/engine';
import { extractiveSummarizer } from '@spillway/llm';
import { appendMessages, type PostedUsage } from '@spillway/service';
import { SimulatedProcess, Tables } from '@spillway/testing/simulation';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';

/** A process of the API whose tables are in memory, with one project and the names of the statements that it ran. */
export function processInMemory(context: PolicyInput['context']) {
  const projectId = randomUUID();
  const tables = new Tables(() => Date.now());
  tables.projects.set(projectId, { id: projectId, settingsVersion: 1, policy: '{}' });
  let ran: string[] = [];
  const { rt } = new SimulatedProcess('one', {
    tables,
    policy: { context: { counter: 'estimate', ...context } },
    leaseMs: 60_000,
    hints: null,
    ask: (_process, ask) => {
      ran.push(ask.name);
      return new Promise((resolve) => resolve(ask.perform()));
    },
    model: () => extractiveSummarizer,
    onDefect: (error) => expect.unreachable(String(error)),
  });
  /** What it ran since this was called before. */
  const statements = (): string[] => {
    const names = ran;
    ran = [];
    return names;
  };
  /** Appends what a user says. */
  const say = (threadId: string, content = 'hello', usage: PostedUsage | null = null) =>
    appendMessages(rt, {
      projectId,
      threadId,
      usage,
      messages: [{ clientId: null, pinned: false, format: 'openai', body: { role: 'user', content } }],
    });
  return { rt, projectId, tables, statements, say };
}
