import type { Schemas, Thread } from '@spillway/client';
import { CommandError } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';

type Settings = Pick<Schemas['Thread'], 'model' | 'system'>;

/** A provider's request with a whole history. */
interface ProviderForm {
  /** The fields before the list of messages. */
  head(settings: Settings): Record<string, unknown>;
  /** The name of the list. */
  list: string;
  /** Messages before those of the thread. */
  first(settings: Settings): object[];
}

const named = (fields: Record<string, string | null | undefined>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
const none = (): object[] => [];

/**
 * The providers' documented forms, by the format of messages. Where a form has no field for the system prompt, it is the
 * first message.
 */
export const providerForms: Readonly<Record<string, ProviderForm>> = {
  openai: {
    head: ({ model }) => named({ model }),
    list: 'messages',
    first: ({ system }) => (typeof system === 'string' ? [{ role: 'system', content: system }] : []),
  },
  responses: {
    head: ({ model, system }) => named({ model, instructions: system }),
    list: 'input',
    first: none,
  },
  anthropic: { head: ({ model, system }) => named({ model, system }), list: 'messages', first: none },
  'ai-sdk': { head: ({ system }) => named({ system }), list: 'messages', first: none },
};

/** What a document shows otherwise than it was posted, counted while it is written. */
export interface Differing {
  erased: number;
  /** Outputs whose bytes are gone: their stubs are shown. */
  gone: number;
}

/**
 * The whole history of a thread as a provider's request: every message that is not rewound, as it was posted, one a line.
 * Throws `CommandError` for a message of another format.
 */
export async function* providerDocument(
  thread: Thread,
  form: string,
  counted: Differing,
  show: (seq: number, last: number) => void,
): AsyncGenerator<string> {
  const { head, list, first } = providerForms[form]!;
  const settings = await thread.get();
  const fields = JSON.stringify(head(settings)).slice(0, -1);
  yield `${fields}${fields === '{' ? '' : ','}"${list}":[`;
  let separator = '\n';
  for (const message of first(settings)) {
    yield `${separator}${JSON.stringify(message)}`;
    separator = ',\n';
  }
  for await (const message of thread.messages({ view: 'original', limit: 200 })) {
    if (message.rewound_before !== null) continue;
    if (message.format !== form) throw otherFormat(message, form);
    if (message.erased_at !== null) counted.erased++;
    counted.gone += message.outputs.filter(({ state }) => state !== 'ready').length;
    yield `${separator}${JSON.stringify(message.message)}`;
    separator = ',\n';
    show(message.seq, settings.last_seq);
  }
  yield '\n]}\n';
}

const otherFormat = ({ seq, format }: Schemas['Message'], form: string): CommandError =>
  new CommandError(
    'other_format',
    `Message ${seq} was posted in the format ${format}, and messages are written as they were posted.`,
    `Call with --as ${format}. \`spillway context --format ${form}\` converts a context.`,
    exitCode.wrongUsage,
  );
