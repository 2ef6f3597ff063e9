import { pathToFileURL } from 'node:url';
import type { Sdk } from '@spillway/claude-agent';
import { installFramework } from '../install-framework.js';

/** A message of a query, as far as tests look at it. */
export interface QueryMessage {
  type: string;
  subtype?: string;
  session_id?: string;
  result?: string;
  error?: string;
}

/** What tests use of `@anthropic-ai/claude-agent-sdk`, whose types `npm ci` does not install. */
export interface ClaudeAgentSdk extends Sdk<object> {
  query(asked: { prompt: string; options: object }): AsyncIterable<QueryMessage>;
}

export async function loadSdk(): Promise<ClaudeAgentSdk & { folder: string }> {
  const folder = await installFramework('claude-agent');
  const entry = pathToFileURL(`${folder}/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs`);
  return { ...((await import(entry.href)) as ClaudeAgentSdk), folder };
}

/** An environment with nothing of the machine's user, from which the program asks its model alone. */
export function environmentOf(home: string, providerUrl: string): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(ANTHROPIC_|CLAUDE)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    ANTHROPIC_BASE_URL: providerUrl,
    ANTHROPIC_API_KEY: 'sk-test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Of larger results of MCP servers the program would show a part.
    MAX_MCP_OUTPUT_TOKENS: '200000',
  };
}
