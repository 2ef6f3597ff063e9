import { AgentThreads, type AgentOptions, type Status } from '@spillway/client/agent';
import { AiSdkThread, type ThreadOptions } from './thread.js';

export interface AiSdkSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** The thread of one conversation. Sends nothing; make it anew for each run. */
  thread(id: string, options?: ThreadOptions): AiSdkThread;
}

/** Connects agents of the AI SDK to a Spillway service. */
export function createSpillway(options: AgentOptions): AiSdkSpillway {
  const threads = new AgentThreads('ai-sdk', options);
  return {
    get status() {
      return threads.status;
    },
    thread: (id, options = {}) => new AiSdkThread(threads.thread(id), threads.readers, options),
  };
}
