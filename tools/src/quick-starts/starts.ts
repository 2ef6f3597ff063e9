import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { UpstreamProvider } from '@spillway/service';
import { repository } from '../repository.js';
import { build, folder, folderOfCodex, orders, type Conversation } from './conversations.js';

export interface Start {
  /** Names its folder, its project and its picture. */
  name: string;
  title: string;
  /** The page that shows it, and the heading there. */
  page: string;
  heading: string;
  /** Which API the program speaks to: a server has one provider behind its proxies. */
  provider: UpstreamProvider;
  conversation: Conversation;
  /** Files of the user's home, by path, that give a program the address of its model. */
  home?: (providerUrl: string) => Record<string, object>;
  /** The program ends on the oldest Node.js that our packages promise to run on. */
  newNodeOnly?: boolean;
}

const titles: Record<string, string> = {
  adk: 'Google ADK',
  'ai-sdk': 'AI SDK',
  anthropic: 'Anthropic SDK, with the adapter',
  'claude-agent': 'Claude Agent SDK',
  'google-genai': 'Google Gen AI SDK',
  langchain: 'LangChain',
  mastra: 'Mastra',
  'openai-agents': 'OpenAI Agents SDK',
  strands: 'Strands Agents SDK',
};

/** What is said in quick starts of adapters, and with which provider, where it is not the orders with OpenAI. */
const ofAdapters: Record<string, Partial<Start>> = {
  'claude-agent': { provider: 'anthropic', conversation: folder('Bash') },
  opencode: {
    conversation: folder('bash'),
    home: (providerUrl) => ({
      '.config/opencode/opencode.json': {
        model: 'openai/gpt-4o-mini',
        small_model: 'openai/gpt-4o-mini',
        provider: { openai: { options: { baseURL: `${providerUrl}/v1` } } },
      },
    }),
  },
  pi: {
    newNodeOnly: true,
    conversation: folder('bash'),
    home: (providerUrl) => ({
      '.pi/agent/models.json': { providers: { openai: { baseUrl: `${providerUrl}/v1` } } },
      '.pi/agent/settings.json': { defaultProvider: 'openai', defaultModel: 'gpt-4o-mini' },
    }),
  },
};

/** Every quick start: the client, each package in libs/adapters, and the SDKs with another base URL alone. */
export const starts: readonly Start[] = [
  {
    name: 'client',
    title: 'Client and OpenAI SDK',
    page: 'libs/client/README.md',
    heading: 'Quick start',
    provider: 'openai',
    conversation: build,
  },
  ...globSync('libs/adapters/*/README.md', { cwd: repository })
    .toSorted()
    .map((page): Start => {
      const name = basename(dirname(page));
      const usual = { heading: 'Quick start', provider: 'openai', conversation: orders } as const;
      return { name, title: titles[name] ?? name, page, ...usual, ...ofAdapters[name] };
    }),
  {
    name: 'openai-proxy',
    title: 'OpenAI SDK, base URL alone',
    page: 'docs/agents.md',
    heading: 'OpenAI SDK',
    provider: 'openai',
    conversation: orders,
  },
  {
    name: 'anthropic-proxy',
    title: 'Anthropic SDK, base URL alone',
    page: 'docs/agents.md',
    heading: 'Anthropic SDK',
    provider: 'anthropic',
    conversation: orders,
  },
  {
    name: 'google-proxy',
    title: 'Google Gen AI SDK, base URL alone',
    page: 'docs/agents.md',
    heading: "Google's Gen AI SDK",
    provider: 'google',
    conversation: orders,
  },
  {
    name: 'claude-code',
    title: 'Claude Code, settings alone',
    page: 'docs/quick-starts/coding-agents-and-frameworks.md',
    heading: 'Claude Code',
    provider: 'anthropic',
    conversation: folder('Bash'),
  },
  {
    name: 'codex',
    title: 'Codex, settings alone',
    page: 'docs/quick-starts/coding-agents-and-frameworks.md',
    heading: 'Codex',
    provider: 'openai',
    conversation: folderOfCodex,
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI, settings alone',
    page: 'docs/quick-starts/coding-agents-and-frameworks.md',
    heading: 'Gemini CLI',
    provider: 'google',
    conversation: folder('run_shell_command'),
  },
  {
    name: 'qwen-code',
    title: 'Qwen Code, settings alone',
    page: 'docs/quick-starts/coding-agents-and-frameworks.md',
    heading: 'Qwen Code',
    provider: 'openai',
    conversation: folder('run_shell_command'),
  },
  {
    name: 'copilot-cli',
    title: 'GitHub Copilot CLI, settings alone',
    page: 'docs/quick-starts/coding-agents-and-frameworks.md',
    heading: 'GitHub Copilot CLI',
    provider: 'openai',
    conversation: folder('bash'),
  },
  ...['AgentKit', 'Deep Agents', 'Genkit', 'LlamaIndex', 'TanStack AI', 'VoltAgent'].map(
    (heading): Start => ({
      name: `${heading.toLowerCase().replace(' ', '-')}-proxy`,
      title: `${heading}, base URL alone`,
      page: 'docs/quick-starts/coding-agents-and-frameworks.md',
      heading,
      provider: 'openai',
      conversation: orders,
    }),
  ),
];
