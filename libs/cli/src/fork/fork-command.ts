import type { Command } from '../program/command.js';
import { textOf, wholeNumberOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';

export const fork: Command = {
  summary: 'Makes a thread with the messages of another up to one of them.',
  operands: [{ name: 'thread', required: true }],
  options: {
    at: { type: 'string', value: 'seq', summary: 'The newest message of the fork. Default: all messages.' },
    id: { type: 'string', value: 'id', summary: 'The id of the fork. Default: a new UUID.' },
  },
  notes: `The fork has the settings of the thread and the summary that ends at that message or before it. Large outputs are
shared; the thread stays as it is. Standard output has the id of the fork alone. With --id the same call again finds
the same fork. Scope: messages:write.`,
  async run({ operands, options, env, print }) {
    const at = wholeNumberOf(options, 'at');
    const made = await clientOf(env)
      .thread(operands[0]!)
      .fork({ at, id: textOf(options, 'id') });
    if (print.json) return print.value(made);
    const from = made.forked_from;
    if (from) print.note(`A fork of ${from.thread} with its messages up to ${from.at}.`);
    await print.line(made.id);
  },
};
