import type { Schemas } from '@spillway/client';
import { inColumns } from '../program/columns.js';
import { UsageError, type Call, type Command } from '../program/command.js';
import { explainError, refuseLost } from '../program/explain-error.js';
import { isSet, textOf, textsOf, timeOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { terminalLine } from '../program/terminal-text.js';
import { changeKey } from './change-key.js';
import { isLive, keyIdOf, keysThat } from './find-keys.js';
import { tokenBudgetOf, tokensToday } from './token-budget.js';

/** A scope of the API that is missing here does not compile. */
const scopes = Object.keys({
  'messages:write': true,
  'context:read': true,
  'outputs:read': true,
  'threads:manage': true,
  admin: true,
} satisfies Record<Schemas['Scope'], true>);

/** The options of each action. */
const optionsOf: Record<string, readonly string[]> = {
  list: ['all'],
  create: ['name', 'scope', 'expires', 'tokens-per-day'],
  change: ['name', 'tokens-per-day'],
  revoke: [],
};

export const keys: Command = {
  summary: 'Lists, creates, changes and revokes API keys.',
  operands: [
    { name: 'action', required: false, choices: Object.keys(optionsOf) },
    { name: 'id', required: false },
  ],
  options: {
    name: { type: 'string', value: 'name', summary: 'Of create and change: what the key is called.' },
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
    'tokens-per-day': {
      type: 'string',
      value: 'n',
      summary:
        'Of create and change: tokens that model calls may take with it in a day, or none for any number.',
    },
    all: { type: 'boolean', summary: 'Of list: revoked and expired keys too.' },
  },
  notes: `create prints the new key alone on standard output, so that a script can store it: it is not shown again. change
and revoke take the id of a key, or its prefix as list shows it, when one live key alone has it. Once a key has spent its
tokens of the day (UTC), model calls with it get a 429 until the next one. Scope: admin.`,
  async run(call) {
    const [action = 'list', id] = call.operands;
    refuseOthers(action, call.options);
    if (action === 'create') return create(call, id);
    if (action === 'change') return changeKey(call, id);
    if (action === 'revoke') return revoke(call, id);
    if (id !== undefined) throw new UsageError('`spillway keys list` takes no further word.');
    return list(call);
  },
};

/** An option of another action would be ignored: `keys --name ci` would list keys and create none. */
function refuseOthers(action: string, options: Call['options']): void {
  const others = Object.values(optionsOf)
    .flat()
    .filter((name) => !optionsOf[action]!.includes(name));
  const given = others.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  const owners = Object.keys(optionsOf).filter((owner) => optionsOf[owner]!.includes(given));
  throw new UsageError(
    `--${given} goes with ${owners.map((owner) => `\`spillway keys ${owner}\``).join(' and ')}.`,
  );
}

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
    tokensToday(key),
  ]);
  const head = ['ID', 'NAME', 'PREFIX', 'SCOPES', 'ENDS', 'LAST USED', 'TOKENS TODAY'];
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
  const budget = tokenBudgetOf(options);
  const body = {
    ...{ name, scopes: asked },
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(budget === undefined ? {} : { max_chat_tokens_per_day: budget }),
  };
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
  const id = await keyIdOf(env, word);
  await revokeKey(env, id);
  if (print.json) return print.value({ id, revoked: true });
  print.note(`Revoked key ${id}, and the sessions that began with it.`);
}
