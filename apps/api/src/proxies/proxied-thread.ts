import { clientId, proxyHeaders, type ProxiedRequest } from '@spillway/contracts';
import { SpillwayError, type CallerRow, type ProxyTurn } from '@spillway/service';
import { checked } from '../http/valid.js';

/** With them no name of a user or a session is the id of a thread that was named in another way. */
const userPrefix = 'user:';
const sessionPrefix = 'session:';

/** The thread that a request names, the one whose conversation it continues, or none. */
export type ProxiedThread = { id: string } | 'by_history' | 'beside';

/**
 * Says which thread a request to a proxy is about. The first of these decides: `Spillway-Thread`,
 * `metadata.spillway_thread`, a thread token, `metadata.thread_id`, and what `Spillway-Thread-From` asks for: the name of
 * the user or the session, or the conversation itself. A call that an agent makes beside its session has none. Throws
 * `invalid_request`, and `thread_not_found` for a token of another thread.
 */
export function proxiedThread(
  caller: CallerRow,
  sent: SentHeaders,
  body: ProxiedRequest,
  { provider }: Pick<ProxyTurn['api'], 'provider'>,
): ProxiedThread {
  const known = threadNamedBy(caller, sent, body);
  if (known !== undefined) return { id: known };

  const from = checked(proxyHeaders, sent)['spillway-thread-from'];
  const metadata = body.metadata ?? {};
  // Anthropic's metadata has the user's name alone, and Google has none.
  const ownId = provider === 'openai' ? (metadata.thread_id ?? undefined) : undefined;
  if (ownId !== undefined) return { id: checkedId(ownId, '/metadata/thread_id') };
  if (from === 'history') return 'by_history';
  if (from === 'session') return isBeside(body) ? 'beside' : sessionNamedBy(sent);
  if (from === undefined)
    throw refused(
      '/spillway-thread',
      'is missing',
      "Send the thread's id in the header Spillway-Thread, or Spillway-Thread-From: history to have it found by the messages.",
    );
  if (provider === 'google')
    throw refused(
      '/spillway-thread-from',
      'needs a name, and requests of Google have none',
      "Requests of Google have no name of a user: send the thread's id in the header Spillway-Thread, or Spillway-Thread-From: history.",
    );

  const [user, path] = provider === 'openai' ? [body.user, '/user'] : [metadata.user_id, '/metadata/user_id'];
  if (user === undefined || user === null)
    throw refused(path, 'is missing', `Spillway-Thread-From: user needs the name of the user in ${path}.`);
  return { id: checkedId(typeof user === 'string' ? userPrefix + user : user, path, userPrefix) };
}

/**
 * The conversation of a coding agent, as it names it itself: Claude Code, whose subagents have conversations of their own
 * in the same session, and Codex. That of an agent which names none is found by its messages.
 */
function sessionNamedBy(sent: SentHeaders): ProxiedThread {
  const session = sent['x-claude-code-session-id'];
  const agent = sent['x-claude-code-agent-id'];
  const named = session === undefined || agent === undefined ? session : `${session}:${agent}`;
  const [id, path] = named === undefined ? [sent['thread-id'], '/thread-id'] : [named, sessionHeader];
  return id === undefined ? 'by_history' : { id: checkedId(sessionPrefix + id, path, sessionPrefix) };
}

const sessionHeader = '/x-claude-code-session-id';

/** Agents ask for the title of a session, and the like, in the middle of it: without tools, and without its messages. */
const isBeside = ({ tools }: ProxiedRequest): boolean => !Array.isArray(tools) || tools.length === 0;

type SentHeaders = Readonly<Record<string, string | undefined>>;

/** The id that a request has in our own header or field, or that of the caller's thread token. Throws as above. */
export function threadNamedBy(
  { token }: CallerRow,
  sent: SentHeaders,
  body: ProxiedRequest,
): string | undefined {
  const named = checked(proxyHeaders, sent)['spillway-thread'] ?? body.metadata?.spillway_thread;
  if (token !== null && named !== undefined && named !== token.threadId)
    throw new SpillwayError('thread_not_found', 'No such thread.');
  return named ?? token?.threadId;
}

/** Names that are no id are refused: changed into one, two names could become the same thread. */
function checkedId(id: unknown, path: string, prefix = ''): string {
  const parsed = clientId.safeParse(id);
  if (parsed.success && parsed.data !== prefix) return parsed.data;
  const room = 200 - prefix.length;
  const why = `must be 1-${room} characters of A-Z a-z 0-9 . _ : - @ to name a thread`;
  throw refused(path, why, `${path} ${why}. Or send the thread's id in the header Spillway-Thread.`);
}

const refused = (path: string, message: string, detail: string): SpillwayError =>
  new SpillwayError('invalid_request', detail, [{ path, message }]);
