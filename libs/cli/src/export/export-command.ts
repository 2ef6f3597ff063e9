import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportOptions, Thread } from '@spillway/client';
import { refuseExisting, writeWholeFile } from '../files/write-whole-file.js';
import { counted } from '../program/counted.js';
import { CommandError, UsageError, type Call, type Command } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { causeOf } from '../program/explain-error.js';
import { isSet, textOf } from '../program/option-values.js';
import { progressBar } from '../program/progress-bar.js';
import { clientOf } from '../program/server-settings.js';
import { providerDocument, providerForms, type Differing } from './provider-document.js';

export const exportThread: Command = {
  summary: 'Writes a whole thread to a file or to standard output.',
  operands: [{ name: 'thread', required: true }],
  options: {
    output: { type: 'string', short: 'o', value: 'file', summary: 'The file. Default: standard output.' },
    format: { type: 'string', choices: ['jsonl', 'markdown'], summary: 'Default: jsonl.' },
    as: {
      type: 'string',
      choices: Object.keys(providerForms),
      summary: "The history alone, as a request of the provider's API.",
    },
    force: { type: 'boolean', summary: 'Replaces a file that exists.' },
  },
  notes: `JSON lines: one for the thread, one for each message as it was posted, one for each summary and each standing
instruction. --as writes a JSON document that the provider takes and import reads: system prompt and messages without
rewound ones, as they were posted; those of another format are converted, and what it cannot express is named. The
thread is streamed, so its size does not matter; a file appears under its name when it is complete. Without the scope
outputs:read the stubs of outputs take their place. Scope: context:read.`,
  needsReader: true,
  async run(call) {
    const { operands, options, env } = call;
    const file = textOf(options, 'output');
    if (file !== undefined && !isSet(options, 'force')) await refuseExisting(file);
    const thread = clientOf(env).thread(operands[0]!);
    const differing: Differing = { erased: 0, gone: 0, dropped: new Map() };
    const source = await sourceOf(call, thread, differing);
    await (file === undefined ? toStandardOutput(source, call) : toFile(source, file, call)).catch(
      (error: unknown) => {
        if (!isBroken(error)) throw error;
        throw new CommandError(
          'export_broken',
          `The export broke off: ${causeOf(error)}.`,
          'Nothing is wrong with the thread. Call again.',
          exitCode.unavailable,
          { cause: error },
        );
      },
    );
    note(call, differing);
  },
};

/** The bytes to write, with its progress where the total is known. */
async function sourceOf({ options, print }: Call, thread: Thread, differing: Differing): Promise<Readable> {
  const format = textOf(options, 'format') as ExportOptions['format'];
  const form = textOf(options, 'as');
  if (form === undefined) return Readable.fromWeb(await thread.export({ format }));
  if (format !== undefined) throw new UsageError('--as goes without --format.');
  const show = (seq: number, last: number) => print.progress(progressBar(seq, last, 'messages'));
  const document = providerDocument(thread, { form, counted: differing, show });
  return Readable.from(document, { objectMode: false });
}

async function toStandardOutput(source: Readable, { print }: Call): Promise<void> {
  await print.copy(source);
  print.progress('');
}

async function toFile(source: Readable, file: string, { options, print }: Call): Promise<void> {
  const showsMessages = textOf(options, 'as') !== undefined;
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (!showsMessages) print.progress(progressBar(bytes, null, 'bytes'));
      done(null, chunk);
    },
  });
  await writeWholeFile(file, (to) => pipeline(source, counting, to));
  print.progress('');
  if (print.json) return print.value({ file, bytes });
  print.note(`Wrote ${file}, ${bytes} bytes.`);
}

function note({ print }: Call, { erased, gone, dropped }: Differing): void {
  if (erased > 0) print.note(`Erased: ${counted(erased, 'message')}. What stands there instead is written.`);
  if (gone > 0) print.note(`The bytes of ${counted(gone, 'output')} are gone: stubs are written.`);
  for (const [what, count] of dropped) print.note(`Left out, ${counted(count, 'time')}: ${what}.`);
}

/** What fetch throws when an answer ends before its end. */
const isBroken = (error: unknown): error is Error => error instanceof TypeError;
