import type { Schemas } from '@spillway/client';
import { inColumns } from '../program/columns.js';
import { CommandError, UsageError, type Call, type Command } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { explainError, refuseLost } from '../program/explain-error.js';
import { isSet, textOf, textsOf, timeOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { terminalLine } from '../program/terminal-text.js';
import { readKeys, type Key } from './read-keys.js';

/** A scope of the API that is missing here does not compile. */
const scopes = Object.keys({
  'messages:write': true,
  'context:read': true,
  'outputs:read': true,
  'threads:manage': true,
  admin: true,
} satisfies Record<Schemas['Scope'], true>);

/** The options of each action. */
const optionsOf = { list: ['all'], create: ['name', 'scope', 'expires'], revoke: [] };

export const keys: Command = {
  summary: 'Lists, creates and revokes API keys.',
  operands: [
    { name: 'action', required: false, choices: Object.keys(optionsOf) },
    { name: 'id', required: false },
  ],
  options: {
    name: { type: 'string', value: 'name', summary: 'Of create: what the key is called.' },
    scope: {
      type: 'string',
      multiple: true,
      value: 'scopes',
      summary: `Of create: what it may do. ${scopes.join(', ')}.`,
    },
    expires: {
      type: 'string',
      value: 'time',
      summary: 'Of create: when it ends, as 90d or a time. Default: never.',
    },
    all: { type: 'boolean', summary: 'Of list: revoked and expired keys too.' },
  },
  notes: `create prints the new key alone on standard output, so that a script can store it: it is not shown again. revoke
takes the id of a key, or its prefix as list shows it, when one live key alone has it. Scope: admin.`,
  async run(call) {
    const [action = 'list', id] = call.operands;
    refuseOthers(action, call.options);
    if (action === 'create') return create(call, id);
    if (action === 'revoke') return revoke(call, id);
    if (id !== undefined) throw new UsageError('`spillway keys list` takes no further word.');
    return list(call);
  },
};

/** An option of another action would be ignored: `keys --name ci` would list keys and create none. */
function refuseOthers(action: string, options: Call['options']): void {
  for (const [owner, names] of Object.entries(optionsOf)) {
    const given = owner === action ? undefined : names.find((name) => options[name] !== undefined);
    if (given !== undefined) throw new UsageError(`--${given} goes with \`spillway keys ${owner}\`.`);
  }
}

async function keysThat(env: Call['env'], isWanted: (key: Key) => boolean): Promise<Key[]> {
  const wanted: Key[] = [];
  for await (const key of readKeys(clientOf(env))) if (isWanted(key)) wanted.push(key);
  return wanted;
}

const isLive = ({ revoked_at: revoked, expires_at: expires }: Key): boolean =>
  revoked === null && (expires === null || Date.parse(expires) > Date.now());

async function list({ env, options, print }: Call): Promise<void> {
  const shown = await keysThat(env, (key) => isSet(options, 'all') || isLive(key));
  if (print.json) {
    for (const key of shown) await print.value(key);
    return;
  }
  const rows = shown.map((key) => [
    key.id,
    terminalLine(key.name, 40),
    `${key.prefix}…`,
    key.scopes.join(','),
    key.revoked_at ? `revoked ${key.revoked_at}` : (key.expires_at ?? 'never'),
    key.last_used_at ?? 'never',
  ]);
  const head = ['ID', 'NAME', 'PREFIX', 'SCOPES', 'ENDS', 'LAST USED'];
  for (const line of inColumns([head, ...rows])) await print.line(line);
}

async function create({ env, options, print }: Call, word: string | undefined): Promise<void> {
  if (word !== undefined) throw new UsageError('`spillway keys create` takes the name as --name.');
  const name = textOf(options, 'name');
  const asked = textsOf(options, 'scope');
  if (name === undefined || asked.length === 0)
    throw new UsageError('`spillway keys create` needs --name and at least one --scope.');
  const unknown = asked.find((scope) => !scopes.includes(scope));
  if (unknown !== undefined)
    throw new UsageError(`There is no scope ${JSON.stringify(unknown)}. Scopes: ${scopes.join(', ')}.`);
  const expires = timeOf(options, 'expires', 'future');
  const body = { name, scopes: asked, ...(expires === undefined ? {} : { expires_at: expires }) };
  const created = await clientOf(env).call<Schemas['KeyCreated']>({
    method: 'POST',
    path: '/v1/keys',
    body,
    // A key of which nobody saw the answer stays valid, so a lost answer is not asked for again.
    isRepeatable: false,
  });
  // The id comes first, so that a key whose print failed can be revoked.
  if (!print.json)
    print.note(`Created key ${created.id} (${created.scopes.join(', ')}). It is not shown again.`);
  try {
    await (print.json ? print.value(created) : print.line(created.key));
    print.refuseUnread();
  } catch (error) {
    await revokeUnseen(env, created.id, error);
  }
}

/** Revokes a key that could not be printed: nobody can use it, and a part of it may be in a file. Throws always. */
async function revokeUnseen(env: Call['env'], id: string, error: unknown): Promise<never> {
  try {
    await revokeKey(env, id);
  } catch (failure) {
    const why = explainError(failure, env)?.message ?? String(failure);
    const next = `Revoke it with \`spillway keys revoke ${id}\`, then create another one.`;
    refuseLost(
      error,
      `The key ${id} is live, and could not be printed.`,
      `It could not be revoked either: ${why} ${next}`,
    );
  }
  refuseLost(error, `The key ${id} could not be printed, so it is revoked.`, 'Create another one.');
}

const revokeKey = (env: Call['env'], id: string): Promise<unknown> =>
  clientOf(env).call({ method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}` });

async function revoke({ env, print }: Call, word: string | undefined): Promise<void> {
  if (word === undefined) throw new UsageError('`spillway keys revoke` needs the id of a key.');
  const id = await idOf(env, word);
  await revokeKey(env, id);
  if (print.json) return print.value({ id, revoked: true });
  print.note(`Revoked key ${id}, and the sessions that began with it.`);
}

/** The id that is meant by an id or a prefix. Throws `UsageError` for one that means several keys. */
async function idOf(env: Call['env'], word: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)) return word;
  const prefix = word.replace(/…$/, '');
  const meant = await keysThat(env, (key) => isLive(key) && key.prefix === prefix);
  if (meant.length === 1) return meant[0]!.id;
  if (meant.length > 0)
    throw new UsageError(
      `${meant.length} live keys have the prefix ${JSON.stringify(word)}. Give the id of one.`,
    );
  throw new CommandError(
    'key_not_found',
    `${JSON.stringify(word)} is neither the id nor the prefix of a live key.`,
    '`spillway keys list` lists the keys of the project.',
    exitCode.notFound,
  );
}
