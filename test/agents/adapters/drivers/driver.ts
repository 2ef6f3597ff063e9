import type { AgentOptions, Status } from '@spillway/client/agent';

/** A conversation as its caller keeps it, in the form of the framework. */
export type Page = readonly unknown[];

export interface Asked {
  /** The agent's last text. */
  text: string;
  page: Page;
}

export interface AskOptions {
  stream?: boolean;
  signal?: AbortSignal;
}

/** A program that runs an agent over an adapter: one process, as far as the adapter knows. */
export interface Program {
  readonly status: Status;
  /** Runs the agent over one more question. Frameworks that store the conversation do not look at the page. */
  ask(id: string, page: Page, question: string, options?: AskOptions): Promise<Asked>;
  /** Takes the last messages back, as the framework's users do. Default: the page without them is passed. */
  takeBack?(id: string, page: Page, count: number): Promise<Page>;
}

export interface ProgramOptions {
  spillway: AgentOptions;
  /** Without a path. */
  providerUrl: string;
  model: string;
  instructions: string;
  /** The agent's own tool, called `list_orders`, with a number `n`. */
  listOrders: () => string;
  maxSteps: number;
}

/** How the conformance suite drives one framework through its adapter. */
export interface Driver {
  /** The folder in libs/adapters. */
  adapter: string;
  /** How the ids of its threads begin, for a framework that accepts certain ids only. Default: the adapter. */
  threadPrefix?: string;
  /** Why its framework cannot be had here, for one that `npm ci` does not install. Installs it otherwise. */
  missing?(): Promise<string | null>;
  start(options: ProgramOptions): Program;
  /** The messages of a page as JSON in one of Spillway's formats, or in a form that `transcriptOf` reads. */
  messagesOf(page: Page): unknown[];
  /** Stops what programs share, after the last case. */
  stop?(): Promise<void>;
}
