import type { Schemas } from '@spillway/client';
import { UsageError, type Call } from '../program/command.js';
import { refuseLost } from '../program/explain-error.js';
import { textOf } from '../program/option-values.js';
import { projectOf } from './change-project.js';
import { operatorOf } from './operator-client.js';

/** The name of a key for which the operator gave none. */
const defaultName = 'made by the operator';

/** Makes an admin key of a project, for one that lost its own, and prints the key alone on standard output. */
export async function makeAdminKey({ env, options, print }: Call, word: string | undefined): Promise<void> {
  if (word === undefined) throw new UsageError('`spillway projects admin-key` needs a project.');
  const { id, name: project } = await projectOf(env, word);
  const made = await operatorOf(env)<Schemas['KeyCreated']>({
    method: 'POST',
    path: `/v1/projects/${id}/keys`,
    body: { name: textOf(options, 'name') ?? defaultName },
    // A key of which nobody saw the answer stays valid, so a lost answer is not asked for again.
    isRepeatable: false,
  });
  // The id comes first, so that a key whose print failed can be revoked.
  if (!print.json) print.note(`Created admin key ${made.id} of ${project}. It is not shown again.`);
  try {
    await (print.json ? print.value(made) : print.line(made.key));
    print.refuseUnread();
  } catch (error) {
    const next = `Make another one, and revoke this one with it: \`spillway keys revoke ${made.id}\`.`;
    refuseLost(error, `The admin key ${made.id} is live, and could not be printed.`, next);
  }
}
