import { pathToFileURL } from 'node:url';
import { installFramework } from '../install-framework.js';

/** A message of a session, as far as tests look at it. */
export interface Message {
  role: string;
  content: string | { type: string; text?: string; name?: string }[];
  stopReason?: string;
  errorMessage?: string;
}

export interface Entry {
  id: string;
  type: string;
  message?: Message;
}

export interface Manager {
  appendMessage(message: Message): string;
  getBranch(): Entry[];
  getSessionFile(): string | undefined;
}

export interface Session {
  messages: Message[];
  prompt(text: string): Promise<void>;
  abort(): Promise<void>;
  compact(): Promise<{ summary: string; firstKeptEntryId: string }>;
  navigateTree(entryId: string): Promise<unknown>;
  dispose(): void;
  bindExtensions(bindings: { onError: (error: { error: string }) => void }): Promise<void>;
}

interface ModelRuntime {
  registerProvider(name: string, config: object): void;
  getModel(provider: string, id: string): object;
}

/** What tests use of `@earendil-works/pi-coding-agent`, whose types `npm ci` does not install. */
interface Pi {
  createAgentSession: (options: object) => Promise<{ session: Session }>;
  DefaultResourceLoader: new (options: object) => { reload(): Promise<void> };
  ModelRuntime: { create(options: object): Promise<ModelRuntime> };
  SettingsManager: { inMemory(settings: object): object };
  SessionManager: {
    inMemory(cwd: string, options: { id: string }): Manager;
    create(cwd: string, folder: string, options: { id: string }): Manager;
    open(file: string): Manager;
  };
}

export interface SessionOptions {
  manager: Manager;
  extensions: ((pi: never) => void)[];
  providerUrl: string;
  model: string;
  contextWindow: number;
  tools: object[];
  compaction?: object;
}

export async function loadPi(): Promise<Pi & { folder: string }> {
  const folder = await installFramework('pi');
  const entry = pathToFileURL(`${folder}/node_modules/@earendil-works/pi-coding-agent/dist/index.js`);
  return { ...((await import(entry.href)) as Pi), folder };
}

/** Opens a session of the real pi over OpenAI chat, with nothing of the machine's user: no settings, skills or keys. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { folder, createAgentSession, DefaultResourceLoader, ModelRuntime, SettingsManager } = await loadPi();
  const agentDir = `${folder}/agent`;
  const settingsManager = SettingsManager.inMemory({
    compaction: options.compaction ?? { enabled: true },
  });
  const resourceLoader = new DefaultResourceLoader({
    cwd: folder,
    agentDir,
    settingsManager,
    extensionFactories: options.extensions,
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
  });
  await resourceLoader.reload();
  const modelRuntime = await ModelRuntime.create({ authPath: `${agentDir}/auth.json`, modelsPath: null });
  modelRuntime.registerProvider('stub', {
    baseUrl: `${options.providerUrl}/v1`,
    apiKey: 'sk-test',
    api: 'openai-completions',
    models: [
      {
        id: options.model,
        name: options.model,
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: options.contextWindow,
        maxTokens: 500,
      },
    ],
  });
  const { session } = await createAgentSession({
    cwd: folder,
    agentDir,
    settingsManager,
    resourceLoader,
    modelRuntime,
    sessionManager: options.manager,
    model: modelRuntime.getModel('stub', options.model),
    noTools: 'builtin',
    customTools: options.tools,
  });
  return session;
}
