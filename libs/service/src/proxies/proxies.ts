import { anthropicMessages } from './anthropic-messages.js';
import { chatCompletions } from './chat-completions.js';
import { geminiContent } from './gemini-content.js';
import { responses } from './responses.js';

export { keyHeader, type OwnKey } from './call-provider.js';
export { countProxiedTokens, tokenCounts, type TokenCount } from './count-tokens.js';
export { withGeminiNames } from './gemini-names.js';
export { proxyAside } from './proxy-aside.js';
export type { ProxyAnswer } from './proxy-answer.js';
export { proxyTurn, type ProxyTurn } from './proxy-turn.js';

/** The APIs of providers that Spillway speaks, each under the path where its SDK looks for it. */
export const wireApis = { chatCompletions, responses, anthropicMessages, geminiContent } as const;
