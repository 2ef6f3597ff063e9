import { UsageError, type Call } from '../program/command.js';
import { textOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import { terminalLine } from '../program/terminal-text.js';
import { keyIdOf } from './find-keys.js';
import type { Key } from './read-keys.js';
import { tokenBudgetOf, tokensToday } from './token-budget.js';

/** Gives a key another name or another budget of tokens. */
export async function changeKey({ env, options, print }: Call, word: string | undefined): Promise<void> {
  if (word === undefined) throw new UsageError('`spillway keys change` needs the id of a key.');
  const name = textOf(options, 'name');
  const budget = tokenBudgetOf(options);
  if (name === undefined && budget === undefined)
    throw new UsageError('`spillway keys change` needs --name or --tokens-per-day.');
  const id = await keyIdOf(env, word);
  const changed = await clientOf(env).call<Key>({
    method: 'PATCH',
    path: `/v1/keys/${encodeURIComponent(id)}`,
    body: {
      ...(name === undefined ? {} : { name }),
      ...(budget === undefined ? {} : { max_chat_tokens_per_day: budget }),
    },
  });
  if (print.json) return print.value(changed);
  const limit = changed.max_chat_tokens_per_day === null ? ', and has no budget' : '';
  print.note(
    `Changed key ${changed.id} (${terminalLine(changed.name, 40)}). It took ${tokensToday(changed)} tokens today${limit}.`,
  );
}
