import { AgentThreads, type AgentOptions, type Status } from '@spillway/client/agent';
import { SpillwaySession, type SessionOptions } from './session.js';

export interface OpenAIAgentsSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** The session of one conversation. Sends nothing until it is used. */
  session(id: string, options?: SessionOptions): SpillwaySession;
}

/** Sessions that are kept. One that was dropped is read again. */
const maxSessions = 1_000;

/** Connects agents of the OpenAI Agents SDK to a Spillway service. */
export function createSpillway(options: AgentOptions): OpenAIAgentsSpillway {
  const threads = new AgentThreads('responses', options);
  const sessions = new Map<string, SpillwaySession>();
  return {
    get status() {
      return threads.status;
    },
    session(id, options = {}) {
      const session = sessions.get(id) ?? new SpillwaySession(threads.thread(id), threads.readers, options);
      // The map's order is that of last use.
      sessions.delete(id);
      sessions.set(id, session);
      if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value!);
      return session;
    },
  };
}
