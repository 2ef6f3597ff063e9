import type { Schemas } from '@spillway/client';
import { inColumns } from '../program/columns.js';
import type { Call } from '../program/command.js';
import { textOf, timeOf, wholeNumberOf } from '../program/option-values.js';
import { terminalLine } from '../program/terminal-text.js';
import { stateOf } from './list-projects.js';
import { operatorOf } from './operator-client.js';

type Usage = Schemas['ProjectUsage'];

export const usageOptions = ['from', 'to', 'sort', 'limit', 'cursor'];
export const usageSorts = [
  ...['messages', 'tokens_recorded', 'contexts', 'server_errors', 'llm_tokens', 'llm_cost_usd'],
  ...['chat_tokens', 'chat_cost_usd', 'cost_usd', 'threads', 'output_bytes'],
];

/** Prints what projects did and hold, the largest first; with --json as GET /v1/projects/usage lists them. */
export async function listUsage({ env, options, print }: Call): Promise<void> {
  const query = {
    from: timeOf(options, 'from', 'past'),
    to: timeOf(options, 'to', 'past'),
    sort: textOf(options, 'sort'),
    limit: wholeNumberOf(options, 'limit', { min: 1, max: 1_000 }),
    cursor: textOf(options, 'cursor'),
  };
  const page = await operatorOf(env)<Schemas['ProjectUsageList']>({
    method: 'GET',
    path: '/v1/projects/usage',
    query,
  });
  if (print.json) for (const project of page.data) await print.value(project);
  else for (const line of inColumns([head, ...page.data.map(rowOf)])) await print.line(line);
  if (page.next_cursor !== null)
    print.note(`There are more: the same call with --cursor ${page.next_cursor}.`);
}

const head = [
  ...['NAME', 'MESSAGES', 'TOKENS', 'CONTEXTS', 'ERRORS', 'SUMMARIES', 'THEIR TOKENS', 'THEIR USD'],
  ...['CALLS', 'THEIR TOKENS', 'THEIR USD', 'THREADS', 'OUTPUT BYTES', 'ID', 'STATE'],
];

const rowOf = ({ llm, chat, ...project }: Usage): string[] => [
  terminalLine(project.name, 40),
  ...[project.messages, project.tokens_recorded, project.contexts, project.server_errors].map(String),
  ...[llm.attempts, llm.input_tokens + llm.output_tokens].map(String),
  usdOf(llm.cost_usd),
  ...[chat.turns, chat.input_tokens + chat.output_tokens].map(String),
  usdOf(chat.cost_usd),
  ...[project.threads, project.output_bytes].map(String),
  project.id,
  stateOf(project),
];

const usdOf = (usd: number | null): string => (usd === null ? 'no price' : usd.toFixed(4));
