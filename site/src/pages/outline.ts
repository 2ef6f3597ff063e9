/** A page that is made from a file: the file, its address, and a title if its own first heading is too long. */
export type Row = readonly [source: string, path: string, title?: string];

/** A part of the navigation before its files are read. */
export interface OutlineSection {
  title: string;
  summary: string;
  rows: readonly Row[];
  /** Pages that the build writes, by name. They follow the rows. */
  generated?: 'console' | 'recipes' | 'client' | 'api' | 'decisions';
}

/**
 * The navigation, from top to bottom. Each Markdown file of the repository's root, of docs and of a package's README
 * has its place here: the build fails for one that has none.
 */
export const outline: readonly OutlineSection[] = [
  {
    title: 'Start',
    summary: 'What Spillway is, and how it runs for the first time',
    rows: [
      ['README.md', '/overview', 'What it is'],
      ['docs/quick-starts/README.md', '/quick-starts/'],
    ],
    generated: 'console',
  },
  {
    title: 'Put it behind your agent',
    summary: 'The loop, the proxies, and the adapters of agent frameworks',
    rows: [
      ['docs/agents.md', '/agents', 'The loop and the proxies'],
      [
        'docs/quick-starts/coding-agents-and-frameworks.md',
        '/quick-starts/coding-agents',
        'Coding agents and frameworks',
      ],
      ['libs/client/README.md', '/client', 'TypeScript client'],
      ['libs/adapters/adk/README.md', '/adapters/adk', 'Google ADK'],
      ['libs/adapters/ai-sdk/README.md', '/adapters/ai-sdk', 'AI SDK'],
      ['libs/adapters/anthropic/README.md', '/adapters/anthropic', 'Anthropic SDK'],
      ['libs/adapters/claude-agent/README.md', '/adapters/claude-agent', 'Claude Agent SDK'],
      ['libs/adapters/google-genai/README.md', '/adapters/google-genai', 'Google Gen AI SDK'],
      ['libs/adapters/langchain/README.md', '/adapters/langchain', 'LangChain'],
      ['libs/adapters/mastra/README.md', '/adapters/mastra', 'Mastra'],
      ['libs/adapters/openai-agents/README.md', '/adapters/openai-agents', 'OpenAI Agents SDK'],
      ['libs/adapters/opencode/README.md', '/adapters/opencode', 'opencode'],
      ['libs/adapters/pi/README.md', '/adapters/pi', 'pi'],
      ['libs/adapters/strands/README.md', '/adapters/strands', 'Strands Agents SDK'],
      ['docs/adapters.md', '/adapters/', 'What each adapter passes'],
      ['libs/cli/README.md', '/cli', 'Command line'],
      ['docs/migrating/dawn.md', '/migrating/dawn'],
      ['docs/migrating/chronos.md', '/migrating/chronos'],
      ['docs/migrating/agentscope.md', '/migrating/agentscope'],
      ['docs/migrating/sessions.md', '/migrating/sessions'],
    ],
    generated: 'client',
  },
  {
    title: 'Concepts',
    summary: 'How a thread is kept inside its window',
    rows: [
      ['docs/architecture.md', '/concepts/architecture'],
      ['docs/compaction.md', '/concepts/compaction'],
      ['docs/outputs.md', '/concepts/outputs'],
      ['docs/state-machine.md', '/concepts/states'],
      ['docs/events.md', '/concepts/events'],
      ['docs/usage.md', '/concepts/usage', 'Usage and cost'],
      ['docs/features.md', '/concepts/features'],
      ['docs/glossary.md', '/concepts/glossary'],
    ],
  },
  {
    title: 'Recipes',
    summary: 'One task on each page, with what to type',
    rows: [],
    generated: 'recipes',
  },
  {
    title: 'API reference',
    summary: 'Every route, its parameters, bodies and answers, from the OpenAPI document',
    rows: [],
    generated: 'api',
  },
  {
    title: 'Operations',
    summary: 'How a service is set up, watched and repaired',
    rows: [
      ['docs/operations/guide.md', '/operations/guide'],
      ['docs/operations/runbooks.md', '/operations/runbooks'],
      ['docs/operations/metrics.md', '/operations/metrics'],
      ['docs/operations/scaling.md', '/operations/scaling'],
      ['docs/operations/performance.md', '/operations/performance'],
      ['docs/configuration.md', '/operations/configuration'],
      ['docs/errors.md', '/operations/errors'],
      ['docs/faults.md', '/operations/faults'],
      ['docs/abuse.md', '/operations/abuse'],
      ['PROMISES.md', '/operations/promises'],
      ['SECURITY.md', '/operations/security'],
    ],
  },
  {
    title: 'Benchmarks',
    summary: 'What was measured, on which machine, against what',
    rows: [['docs/benchmarks.md', '/benchmarks']],
  },
  {
    title: 'Decisions',
    summary: 'What was decided, and why',
    rows: [],
    generated: 'decisions',
  },
  {
    title: 'Project',
    summary: 'How Spillway is changed, and what has changed',
    rows: [
      ['CHANGELOG.md', '/changes', 'Changes'],
      ['CONTRIBUTING.md', '/contributing'],
      ['docs/walks.md', '/project/walks'],
      ['docs/recording.md', '/project/recording'],
      ['docs/dependencies.md', '/project/dependencies'],
      ['docs/sabotage.md', '/project/sabotage'],
      ['docs/review.md', '/project/review'],
    ],
  },
];
