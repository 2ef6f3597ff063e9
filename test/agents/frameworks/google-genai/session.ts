import { pathToFileURL } from 'node:url';
import { installFramework } from '../install-framework.js';

export interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> };
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> };
}

export interface Content {
  role?: string;
  parts?: Part[];
}

export interface Answer {
  text?: string;
  functionCalls?: NonNullable<Part['functionCall']>[];
  candidates?: { content?: Content; finishReason?: string }[];
  automaticFunctionCallingHistory?: Content[];
}

interface Call {
  model: string;
  contents: string | Content[];
  config: object;
}

interface Chat {
  sendMessage(call: { message: string }): Promise<Answer>;
  sendMessageStream(call: { message: string }): Promise<AsyncGenerator<Answer, void, undefined>>;
  getHistory(): Content[];
}

export interface GoogleGenAI {
  models: {
    generateContent(call: Call): Promise<Answer>;
    generateContentStream(call: Call): Promise<AsyncGenerator<Answer, void, undefined>>;
  };
  chats: { create(options: { model: string; config: object; history?: Content[] }): Chat };
}

/** What tests use of `@google/genai`, whose types `npm ci` does not install. */
export interface GenAi {
  GoogleGenAI: new (options: object) => GoogleGenAI;
}

export async function loadGenAi(): Promise<GenAi & { folder: string }> {
  const folder = await installFramework('google-genai');
  const entry = pathToFileURL(`${folder}/node_modules/@google/genai/dist/node/index.mjs`);
  return { ...((await import(entry.href)) as GenAi), folder };
}
