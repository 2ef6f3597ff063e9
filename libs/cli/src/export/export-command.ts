import { createWriteStream } from 'node:fs';
import { access, rename, unlink } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, type Call, type Command } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { causeOf } from '../program/explain-error.js';
import { isSet, textOf } from '../program/option-values.js';
import { clientOf } from '../program/server-settings.js';
import type { ExportOptions } from '@spillway/client';

export const exportThread: Command = {
  summary: 'Writes a whole thread to a file or to standard output.',
  operands: [{ name: 'thread', required: true }],
  options: {
    output: { type: 'string', short: 'o', value: 'file', summary: 'The file. Default: standard output.' },
    format: { type: 'string', choices: ['jsonl', 'markdown'], summary: 'Default: jsonl.' },
    force: { type: 'boolean', summary: 'Replaces a file that exists.' },
  },
  notes: `JSON lines: one for the thread, one for each message as it was posted, one for each summary and each standing
instruction. The thread is streamed, so its size does not matter; a file appears under its name when it is
complete. Without the scope outputs:read the stubs of outputs take their place. Scope: context:read.`,
  async run(call) {
    const { operands, options, env } = call;
    const file = textOf(options, 'output');
    if (file !== undefined && !isSet(options, 'force')) await refuseExisting(file);
    const format = textOf(options, 'format') as ExportOptions['format'];
    const body = await clientOf(env).thread(operands[0]!).export({ format });
    const source = Readable.fromWeb(body);
    await (file === undefined ? toStandardOutput(source) : toFile(source, file, call)).catch(
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
  },
};

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw Object.assign(new Error('exists'), { code: 'EEXIST', path: file });
}

const toStandardOutput = (source: Readable): Promise<void> =>
  pipeline(source, process.stdout, { end: false });

/** Writes beside the file first: an export that broke off must not look like a whole one. */
async function toFile(source: Readable, file: string, { print }: Call): Promise<void> {
  const unfinished = `${file}.unfinished`;
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      print.progress(`${bytes} bytes`);
      done(null, chunk);
    },
  });
  try {
    await pipeline(source, counted, createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  }
  if (print.json) return print.value({ file, bytes });
  print.note(`Wrote ${file}, ${bytes} bytes.`);
}

/** What fetch throws when an answer ends before its end. */
const isBroken = (error: unknown): error is Error => error instanceof TypeError;
