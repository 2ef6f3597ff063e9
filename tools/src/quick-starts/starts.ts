import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { repository } from '../repository.js';

export interface Start {
  /** Names its folder, its project and its picture. */
  name: string;
  title: string;
  /** The page that shows it, and the heading there. */
  page: string;
  heading: string;
  /** Which of the two APIs the program speaks to: a server has one provider behind its proxies. */
  provider: 'openai' | 'anthropic';
}

const titles: Record<string, string> = {
  'ai-sdk': 'AI SDK',
  anthropic: 'Anthropic SDK, with the adapter',
  langchain: 'LangChain',
  mastra: 'Mastra',
  'openai-agents': 'OpenAI Agents SDK',
};

/** Adapters whose quick start needs a program of its own: theirs are run by tests. */
const programs = ['claude-agent', 'opencode', 'pi'];

/** Every quick start: the client, each package in libs/adapters, and the SDKs with another base URL alone. */
export const starts: readonly Start[] = [
  {
    name: 'client',
    title: 'Client and OpenAI SDK',
    page: 'libs/client/README.md',
    heading: 'Quick start',
    provider: 'openai',
  },
  ...globSync('libs/adapters/*/README.md', { cwd: repository })
    .filter((page) => !programs.includes(basename(dirname(page))))
    .toSorted()
    .map((page): Start => {
      const name = basename(dirname(page));
      return { name, title: titles[name] ?? name, page, heading: 'Quick start', provider: 'openai' };
    }),
  {
    name: 'openai-proxy',
    title: 'OpenAI SDK, base URL alone',
    page: 'docs/agents.md',
    heading: 'OpenAI SDK',
    provider: 'openai',
  },
  {
    name: 'anthropic-proxy',
    title: 'Anthropic SDK, base URL alone',
    page: 'docs/agents.md',
    heading: 'Anthropic SDK',
    provider: 'anthropic',
  },
];
