import { AgentThreads, type AgentOptions, type AgentThread, type Status } from '@spillway/client/agent';
import { contextEntries, historyOf, isCompaction } from './messages.js';
import type { Entry, OpencodeClient, OpencodeHooks, OpencodePlugin, Tokens } from './opencode.js';
import { toolOf } from './readers.js';
import { Catalogue, dataOf } from './settings.js';

export interface OpencodeSpillway {
  /** Whether Spillway can be reached, and how many model calls went without it. */
  readonly status: Status;
  /** The default export of a plugin of opencode. The thread of a session has the session's id. */
  readonly plugin: OpencodePlugin;
  /** Resolves when the answers of all runs that ended are recorded, or could not be. */
  settled(): Promise<void>;
}

/** What is known of a session in which this process made a model call. */
interface SessionState {
  settings?: { model: string; tools: object[] };
  system?: string;
  /** The newest answer whose tokens were posted, or that another process asked for. */
  counted: string | undefined;
}

/** Connects the sessions of opencode to a Spillway service. */
export function createSpillway(options: AgentOptions): OpencodeSpillway {
  /** opencode draws its screen itself: a line on the console would be lost in it. */
  let log: (line: string) => void = console.warn;
  const threads = new AgentThreads('ai-sdk', { log: (line) => log(line), ...options });
  const report = (error: unknown) => (options.log ?? log)(`Spillway: ${(error as Error).message}`);
  const states = new WeakMap<AgentThread, SessionState>();
  const recordings = new Set<Promise<void>>();

  const plugin = async ({ client: given }: { client: unknown }) => {
    const client = given as OpencodeClient;
    const catalogue = new Catalogue(client);
    log = (message) => {
      const shown = [
        client.tui.showToast({ body: { message, variant: 'warning' } }),
        client.app.log({ body: { service: 'spillway', level: 'warn', message } }),
      ];
      // Without a screen, or while opencode stops, one of the two is enough.
      void Promise.allSettled(shown);
    };

    const hooks: OpencodeHooks = {
      async 'experimental.chat.messages.transform'(_input, { messages }) {
        await replaceMessages(client, catalogue, messages).catch((error: unknown) => {
          // opencode stops the run and shows an error without its text.
          report(error);
          throw error;
        });
      },

      /** Keeps the system prompt for the next request to Spillway: opencode makes it after the messages. */
      async 'experimental.chat.system.transform'({ sessionID }, { system }) {
        const state = sessionID === undefined ? undefined : states.get(threads.thread(sessionID));
        if (!state || system.length === 0 || (await catalogue.isHidden(system[0]!))) return;
        state.system = system.join('\n');
      },

      /** Records the last answer, which no model call is prepared with. opencode does not wait for it. */
      event({ event: { type, properties } }) {
        if (type !== 'session.idle') return Promise.resolve();
        const { sessionID } = properties as { sessionID: string };
        const recording = recordEnd(client, sessionID).catch(report);
        recordings.add(recording);
        return recording.finally(() => recordings.delete(recording));
      },

      dispose: settled,
    };
    const tool = Object.fromEntries(
      threads.readers.map((reader) => [reader.name, toolOf(reader, (id) => threads.thread(id))]),
    );
    return Promise.resolve({ tool, ...hooks });
  };

  /** Records what is new and gives the call its context. The session keeps every message as it was. */
  async function replaceMessages(
    client: OpencodeClient,
    catalogue: Catalogue,
    messages: Entry[],
  ): Promise<void> {
    const id = messages.at(-1)?.info.sessionID;
    const asked = messages.findLast(({ info }) => info.role === 'user')?.info;
    if (id === undefined || !asked?.model) return;
    const all = await storedMessages(client, id);
    if (isCompacting(all)) return;
    const newest = all.findLastIndex(({ info }) => messages.some((one) => one.info.id === info.id));
    const stored = all.slice(0, newest + 1);
    const thread = threads.thread(id);
    const state = states.get(thread) ?? { counted: newestAnswer(stored)?.info.id };
    states.set(thread, state);
    const { permission = [] } = dataOf(await client.session.get({ path: { id } }));
    state.settings = {
      model: asked.model.modelID,
      tools: await catalogue.schemasFor(asked.agent, asked.model, permission),
    };
    const served = await thread.context({
      history: historyOf(stored),
      ...state.settings,
      system: state.system,
      usage: takeUsage(stored, state),
    });
    // opencode goes on with this list, whatever `output.messages` is afterwards.
    if (served) messages.splice(0, messages.length, ...contextEntries(served.messages, stored, messages));
  }

  async function recordEnd(client: OpencodeClient, id: string): Promise<void> {
    const thread = threads.thread(id);
    const state = states.get(thread);
    if (!state) return;
    const stored = await storedMessages(client, id);
    const { settings, system } = state;
    await thread.record({ history: historyOf(stored), ...settings, system, usage: takeUsage(stored, state) });
  }

  async function settled(): Promise<void> {
    while (recordings.size > 0) await Promise.all(recordings);
  }

  return {
    get status() {
      return threads.status;
    },
    plugin: plugin as unknown as OpencodePlugin,
    settled,
  };
}

/** All messages of a session, those before a compaction of opencode included, without reminders of the moment. */
const storedMessages = async (client: OpencodeClient, id: string): Promise<Entry[]> =>
  dataOf(await client.session.messages({ path: { id } }));

/** Whether opencode is about to summarize the session itself, which it does with a part of the messages. */
function isCompacting(stored: readonly Entry[]): boolean {
  const asked = stored.findLast(({ info }) => info.role === 'user');
  return (
    asked !== undefined && isCompaction(asked) && !stored.some(({ info }) => info.parentID === asked.info.id)
  );
}

const newestAnswer = (stored: readonly Entry[]): Entry | undefined =>
  stored.findLast(({ info: { tokens, summary } }) => summary !== true && tokens && tokens.output > 0);

/** Returns what the provider counted in the newest call, once. */
function takeUsage(stored: readonly Entry[], state: SessionState): object | undefined {
  const { id, tokens } = newestAnswer(stored)?.info ?? {};
  if (id === state.counted) return undefined;
  state.counted = id;
  return tokens && countsOf(tokens);
}

/** opencode's counts have the names of no provider; those of Anthropic say which tokens came from a cache. */
const countsOf = ({ input, output, reasoning, cache }: Tokens): object => ({
  input_tokens: input,
  cache_read_input_tokens: cache.read,
  cache_creation_input_tokens: cache.write,
  output_tokens: output + reasoning,
});
