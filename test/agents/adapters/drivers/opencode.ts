import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Status } from '@spillway/client/agent';
import type { PluginOptions, RunEnd } from '../../frameworks/opencode/plugin.js';
import {
  configOf,
  missingOpencode,
  startServer,
  type Entry,
  type OpencodeServer,
} from '../../frameworks/opencode/server.js';
import type { Asked, Driver, Page, Program, ProgramOptions } from './driver.js';

const plugin = fileURLToPath(new URL('../../frameworks/opencode/plugin.ts', import.meta.url));

/** One process serves all programs. Each has a folder, whose instance of opencode has a plugin of its own. */
let server: Promise<OpencodeServer> | undefined;
const programs = new Set<OpencodeProgram>();
/** opencode runs a session in the folder where it was created, whoever asks. */
const sessions = new Map<string, { folder: string; program: Program }>();

/** opencode's agent over OpenAI chat. It keeps the conversation, so pages are read from it. */
export const opencode: Driver = {
  adapter: 'opencode',
  threadPrefix: 'ses_opencode',
  missing: missingOpencode,
  messagesOf: (page) => (page as Entry[]).flatMap(transcribed),
  start(options) {
    const program = new OpencodeProgram(options);
    programs.add(program);
    return program;
  },
  async stop() {
    for (const program of programs) await program.stop();
    await (await server)?.stop();
    server = undefined;
  },
};

class OpencodeProgram implements Program {
  status: Status = { state: 'up', bypassed_calls: 0, failures: 0, last_error: null };
  private started: Promise<{ server: OpencodeServer; folder: string; config: object }> | undefined;
  private readonly ends = new Map<string, (end: RunEnd) => void>();
  private readonly own: Server;
  private stopping: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ProgramOptions) {
    this.own = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (url === '/orders') return void response.end(this.options.listOrders());
    const body = await text(request);
    if (url === '/ended') {
      const end = JSON.parse(body) as RunEnd;
      this.ends.get(end.sessionId)?.(end);
      return void response.end();
    }
    const { method, headers } = request;
    const type = { 'content-type': headers['content-type'] ?? '' };
    const answer = await fetch(`${this.options.providerUrl}${url}`, { method, headers: type, body });
    // opencode is another process: a run that is stopped while the model is asked does not get the answer.
    await this.stopping;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    Readable.fromWeb(answer.body as never).pipe(response);
  }

  async ask(
    id: string,
    _page: Page,
    question: string,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Asked> {
    const { server, folder } = await this.open(id);
    // What a user stops before it is sent, opencode does not get.
    signal?.throwIfAborted();
    await server.call('POST', '/api/session', folder, { id, location: { directory: folder } });
    // A session with a title is not given one by the model.
    await server.call('PATCH', `/session/${id}`, folder, { title: id });
    const ended = new Promise<RunEnd>((resolve) => this.ends.set(id, resolve));
    const stop = () => {
      this.stopping = server.call('POST', `/session/${id}/abort`, folder);
    };
    signal?.addEventListener('abort', stop);
    const body = { parts: [{ type: 'text', text: question }] };
    const [answer, end] = await Promise.all([
      server
        .call<Entry>('POST', `/session/${id}/message`, folder, body)
        .catch((error: unknown) => error as Error),
      ended,
    ]);
    signal?.removeEventListener('abort', stop);
    this.status = end.status;
    for (const line of end.lines) this.options.spillway.log?.(line);
    if (answer instanceof Error) throw new Error(`${end.lines.join('\n')}\n${answer.message}`);
    const { info, parts } = answer;
    if (info.error) throw new Error(`${info.error.name}: ${info.error.data?.message}`);
    return { text: parts.map((part) => part.text ?? '').join(''), page: await this.page(id) };
  }

  async takeBack(id: string, page: Page, count: number): Promise<Page> {
    const { server, folder } = await this.open(id);
    const { info } = (page as Entry[]).at(-count)!;
    await server.call('POST', `/session/${id}/revert`, folder, { messageID: info.id });
    return page.slice(0, -count);
  }

  async stop(): Promise<void> {
    const closed = once(this.own, 'close');
    if (!this.own.listening) return;
    this.own.close();
    this.own.closeAllConnections();
    await closed;
    await rm((await this.started!).folder, { recursive: true });
  }

  /** Returns the folder of a session. A session of another program gets a plugin anew, as in a process of its own. */
  private async open(id: string) {
    const own = await (this.started ??= this.prepare());
    const session = sessions.get(id) ?? { folder: own.folder, program: this };
    if (session.program !== this) {
      await writeFile(join(session.folder, 'opencode.json'), JSON.stringify(own.config));
      await own.server.call('POST', '/instance/dispose', session.folder);
    }
    sessions.set(id, { folder: session.folder, program: this });
    return { server: own.server, folder: session.folder };
  }

  private async page(id: string): Promise<Entry[]> {
    const { server, folder } = await this.open(id);
    return server.call('GET', `/session/${id}/message`, folder);
  }

  /** Makes the folder whose `opencode.json` has the plugin and what the test says to it. */
  private async prepare() {
    server ??= startServer();
    await once(this.own.listen(0, '127.0.0.1'), 'listening');
    const { options } = this;
    const folder = await mkdtemp(join(tmpdir(), 'spillway-opencode-program-'));
    const testUrl = `http://127.0.0.1:${(this.own.address() as AddressInfo).port}`;
    const { spillway, instructions } = options;
    const pluginOptions: PluginOptions = { spillway, instructions, testUrl };
    const readers = ['read_output', 'grep_output', 'outline_output', 'search_history', 'read_message'];
    const allowed = Object.fromEntries(['list_orders', ...readers].map((name) => [name, 'allow']));
    const config = configOf(testUrl, options.model, {
      plugin: [[`file://${plugin}`, pluginOptions]],
      // The schemas of opencode's own tools are more than the windows of some cases hold.
      permission: { '*': 'deny', ...allowed },
      // opencode shortens outputs itself.
      tool_output: { max_lines: 10_000, max_bytes: 1_000_000 },
    });
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(config));
    return { server: await server, folder, config };
  }
}

function transcribed({ info: { role }, parts }: Entry): object[] {
  const tools = parts.filter(({ type }) => type === 'tool');
  const content = parts.flatMap(({ type, text, tool, state }): object[] => {
    if (type === 'text') return [{ type, text }];
    return type === 'tool' ? [{ type: 'tool_call', name: tool, output: state?.output }] : [];
  });
  return [{ role, content }, ...tools.map(({ state }) => ({ role: 'tool', content: state?.output ?? '' }))];
}
