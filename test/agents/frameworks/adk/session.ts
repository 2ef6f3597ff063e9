import { pathToFileURL } from 'node:url';
import { installFramework } from '../install-framework.js';

export interface Content {
  role?: string;
  parts?: {
    text?: string;
    thought?: boolean;
    functionCall?: { name?: string; args?: object };
    functionResponse?: { name?: string; response?: object };
  }[];
}

export interface Event {
  author?: string;
  content?: Content;
  partial?: boolean;
  errorCode?: string;
  errorMessage?: string;
}

export interface Session {
  id: string;
  events: Event[];
}

interface SessionService {
  createSession(request: { appName: string; userId: string; sessionId: string }): Promise<Session>;
  getSession(request: { appName: string; userId: string; sessionId: string }): Promise<Session | undefined>;
  appendEvent(request: { session: Session; event: object }): Promise<unknown>;
}

export interface RunOptions {
  userId: string;
  sessionId: string;
  newMessage: Content;
  runConfig?: object;
  abortSignal?: AbortSignal;
}

/** What tests use of `@google/adk`, whose types `npm ci` does not install. */
export interface Adk {
  LlmAgent: new (options: object) => object;
  Gemini: new (options: { model: string; apiKey: string }) => object;
  FunctionTool: new (options: object) => object;
  InMemorySessionService: new () => SessionService;
  Runner: new (options: object) => { runAsync(options: RunOptions): AsyncGenerator<Event, void, undefined> };
  StreamingMode: { SSE: string };
  setLogLevel(level: number): void;
  LogLevel: { ERROR: number };
}

export async function loadAdk(): Promise<Adk & { folder: string }> {
  const folder = await installFramework('adk');
  const entry = pathToFileURL(`${folder}/node_modules/@google/adk/dist/esm/index.js`);
  return { ...((await import(entry.href)) as Adk), folder };
}
