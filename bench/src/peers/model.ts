import { setTimeout as sleep } from 'node:timers/promises';
import { startStubLlm, type StubCall } from '@spillway/testing';

export const agentModel = 'bench-agent';
export const summaryModel = 'bench-summary';

/** Characters that a model was sent, for the agent and for its memory, and how often it was asked. */
export interface Sent {
  agent: { calls: number; characters: number };
  summary: { calls: number; characters: number };
}

/** The stub LLM server as the model of every peer. */
export interface Model {
  url: string;
  env: Record<string, string>;
  /** Milliseconds until an answer, by who asks. */
  delay: { agent: number; summary: number };
  /** The agent's next reply. */
  reply: string;
  /** The form in which a peer expects its summary. */
  summary: unknown;
  /** Summaries that were sent whole. */
  summaries: number;
  /** Returns what was sent since it was last called. */
  sent(): Sent;
  stop(): Promise<void>;
}

export async function startModel(): Promise<Model> {
  const stub = await startStubLlm();
  const model: Model = {
    url: stub.url,
    env: { ...stub.env, SPILLWAY_LLM_MODEL: summaryModel },
    delay: { agent: 0, summary: 0 },
    reply: '',
    summary: '',
    summaries: 0,
    sent: () => {
      const calls = stub.calls.splice(0);
      const of = (isOfAgent: boolean) => {
        const own = calls.filter((call) => isAgents(call) === isOfAgent);
        return { calls: own.length, characters: own.reduce((sum, call) => sum + charactersOf(call), 0) };
      };
      return { agent: of(true), summary: of(false) };
    },
    stop: () => stub.stop(),
  };
  stub.answer = (call) => {
    if (isAgents(call)) return { content: model.reply, delayMs: model.delay.agent };
    const after = sleep(model.delay.summary).then(() => void model.summaries++);
    return { content: model.summary, after };
  };
  return model;
}

const isAgents = ({ model }: StubCall): boolean => model === agentModel;

/** Texts alone: what frames them is the same few characters for every peer. */
const charactersOf = ({ body }: StubCall): number =>
  body.messages.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content : JSON.stringify(content)).length,
    0,
  );
