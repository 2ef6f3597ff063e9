import type { Format, Schemas, Thread } from '@spillway/client';
import { splitLines } from '../files/split-lines.js';
import { CommandError } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';

type Settings = Record<'model' | 'system', string | null>;

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
  /** What the form cannot express, and how often. */
  dropped: Map<string, number>;
}

export interface Writing {
  form: string;
  counted: Differing;
  show: (seq: number, last: number) => void;
}

/**
 * The whole history of a thread as a provider's request, one message a line and without rewound ones: as it was posted
 * where that is the form's format, else as the API converts it. Throws `CommandError` for a thread of several formats
 * whose own is asked for.
 */
export async function* providerDocument(thread: Thread, writing: Writing): AsyncGenerator<string> {
  const { form, show } = writing;
  const settings = await thread.get();
  const isPosted = (settings.format ?? 'openai') === form;
  const items = isPosted ? postedMessages(thread, writing) : convertedMessages(thread, writing);
  let first = await items.next();
  const texts = settings.system === null || settings.system === undefined ? [] : [settings.system];
  for (; !first.done && 'system' in first.value; first = await items.next()) texts.push(first.value.system);
  const providerForm = providerForms[form]!;
  const system = texts.length === 0 ? null : texts.join('\n\n');
  const fields = JSON.stringify(providerForm.head({ model: settings.model, system })).slice(0, -1);
  yield `${fields}${fields === '{' ? '' : ','}"${providerForm.list}":[`;
  let separator = '\n';
  const line = (message: unknown): string => {
    const text = `${separator}${JSON.stringify(message)}`;
    separator = ',\n';
    return text;
  };
  for (const message of providerForm.first({ model: settings.model, system })) yield line(message);
  for (let item = first; !item.done; item = await items.next()) {
    if ('system' in item.value) continue;
    yield line(item.value.message);
    show(item.value.seq ?? 0, settings.last_seq);
  }
  yield '\n]}\n';
}

type Item = { system: string } | { seq: number | null; message: unknown };

async function* postedMessages(thread: Thread, { form, counted }: Writing): AsyncGenerator<Item> {
  for await (const message of thread.messages({ view: 'original', limit: 200 })) {
    if (message.rewound_before !== null) continue;
    if (message.format !== form) throw otherFormat(message, form);
    if (message.erased_at !== null) counted.erased++;
    counted.gone += message.outputs.filter(({ state }) => state !== 'ready').length;
    yield { seq: message.seq, message: message.message };
  }
}

async function* convertedMessages(thread: Thread, { form, counted }: Writing): AsyncGenerator<Item> {
  const stream = await thread.export({ as: form as Format });
  for await (const bytes of splitLines(stream)) {
    const line = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    if (line.type === 'system') yield { system: String(line.text) };
    else if (line.type === 'message') yield { seq: line.seq as number | null, message: line.message };
    else if (line.type === 'dropped') {
      const what = String(line.what);
      counted.dropped.set(what, (counted.dropped.get(what) ?? 0) + 1);
    }
  }
}

const otherFormat = ({ seq, format }: Schemas['Message'], form: string): CommandError =>
  new CommandError(
    'other_format',
    `Message ${seq} was posted in the format ${format}, and the thread is one of ${form}.`,
    `The thread has messages of several formats. Call with --as ${format}, which converts it.`,
    exitCode.wrongUsage,
  );
