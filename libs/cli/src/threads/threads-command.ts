import type { Schemas, ThreadsOptions } from '@spillway/client';
import { inColumns } from '../program/columns.js';
import { UsageError, type Call, type Command } from '../program/command.js';
import { isSet, textOf, timeOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { terminalLine } from '../program/terminal-text.js';

type Listed = Schemas['ThreadListed'];

const maxPage = 1_000;

export const threads: Command = {
  summary: 'Lists the threads of the project.',
  operands: [],
  options: {
    state: {
      type: 'string',
      value: 'states',
      summary: 'Of these states: idle, due, running, backoff, parked.',
    },
    model: { type: 'string', value: 'name', summary: 'Of this model.' },
    q: { type: 'string', short: 'q', summary: 'Part of the id, or of a value of the metadata.' },
    metadata: { type: 'string', value: 'key=value', summary: 'With this value in the metadata.' },
    errors: { type: 'boolean', summary: 'Parked, backing off, or the last compaction failed.' },
    fill: { type: 'string', value: 'share', summary: 'From this share of the limit on, as 0.8.' },
    'min-messages': { type: 'string', value: 'n', summary: 'With at least n messages.' },
    'min-tokens': { type: 'string', value: 'n', summary: 'With at least n live tokens.' },
    since: {
      type: 'string',
      value: 'time',
      summary: 'Changed since then: a time, or an age like 12h or 7d.',
    },
    sort: {
      type: 'string',
      value: 'key',
      choices: ['updated', 'created', 'tokens', 'messages', 'id', 'fill'],
      summary: 'Order. Default: updated.',
    },
    direction: { type: 'string', choices: ['asc', 'desc'], summary: 'Default: asc for id, desc for others.' },
    limit: {
      type: 'string',
      short: 'n',
      value: 'n',
      summary: `Threads of a page, 1 to ${maxPage}. Default: 50.`,
    },
    cursor: { type: 'string', value: 'cursor', summary: 'The page after the one that named this cursor.' },
    all: { type: 'boolean', summary: 'Every page.' },
  },
  notes: `When there are more threads, standard error has the call for the next page. With --json each line is a
thread as GET /v1/threads lists it. Scope: context:read.`,
  needsReader: true,
  async run({ options, env, print }) {
    const filter = filterOf(options);
    const cursor = textOf(options, 'cursor');
    const all = isSet(options, 'all');
    if (all && (cursor !== undefined || filter.limit !== undefined))
      throw new UsageError('--all goes without --limit and --cursor: it prints every page.');
    const spillway = clientOf(env);
    if (all) {
      const rows = new Rows(print);
      for await (const thread of spillway.threads({ ...filter, limit: maxPage })) await rows.add(thread);
      return rows.end();
    }
    const query = { ...filter, limit: filter.limit ?? 50, cursor };
    const page = await spillway.call<Schemas['ThreadList']>({ method: 'GET', path: '/v1/threads', query });
    const rows = new Rows(print);
    for (const thread of page.data) await rows.add(thread);
    await rows.end();
    if (page.next_cursor !== null)
      print.note(`There are more: the same call with --cursor ${page.next_cursor}, or with --all.`);
  },
};

function filterOf(options: Call['options']): Omit<ThreadsOptions, 'signal'> {
  const fill = textOf(options, 'fill');
  if (fill !== undefined && !/^\d{1,3}(\.\d{1,6})?$/.test(fill))
    throw new UsageError(`--fill must be a share like 0.8, not ${JSON.stringify(fill)}.`);
  return {
    state: textOf(options, 'state'),
    model: textOf(options, 'model'),
    q: textOf(options, 'q'),
    metadata: textOf(options, 'metadata'),
    has_errors: isSet(options, 'errors') ? true : undefined,
    fill_min: fill === undefined ? undefined : Number(fill),
    min_messages: wholeNumberOf(options, 'min-messages'),
    min_tokens: wholeNumberOf(options, 'min-tokens'),
    updated_after: timeOf(options, 'since', 'past'),
    sort: textOf(options, 'sort') as ThreadsOptions['sort'],
    direction: textOf(options, 'direction') as ThreadsOptions['direction'],
    limit: wholeNumberOf(options, 'limit', { min: 1, max: maxPage }),
  };
}

/** Rows of a table are printed a thousand at once, so that columns fit and a long list needs no memory. */
class Rows {
  private rows: string[][] = [];
  private printed = 0;

  constructor(private readonly print: Call['print']) {}

  async add(thread: Listed): Promise<void> {
    if (this.print.json) return this.print.value(thread);
    this.rows.push(rowOf(thread));
    if (this.rows.length === maxPage) await this.flush();
  }

  async end(): Promise<void> {
    if (this.print.json) return;
    if (this.rows.length === 0 && this.printed === 0) return this.print.note('No threads match.');
    await this.flush();
  }

  private async flush(): Promise<void> {
    const heads = this.printed === 0 ? [head] : [];
    this.printed += this.rows.length;
    for (const line of inColumns([...heads, ...this.rows.splice(0)])) await this.print.line(line);
  }
}

const head = ['THREAD', 'STATE', 'MESSAGES', 'TOKENS', 'FILL', 'SUMMARY', 'MODEL', 'CHANGED'];

const rowOf = ({ compaction, ...thread }: Listed): string[] => [
  thread.id,
  compaction.reason === undefined ? compaction.state : `${compaction.state} (${compaction.reason})`,
  String(thread.last_seq),
  String(thread.live_tokens),
  `${Math.round((100 * thread.live_tokens) / thread.limit_tokens)} %`,
  compaction.generation === 0 ? '-' : `to ${compaction.covered_through}`,
  terminalLine(thread.model ?? '-', 40),
  thread.updated_at,
];
