import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { refuseFile } from '../files/refuse-file.js';
import { splitLines } from '../files/split-lines.js';
import { CommandError } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import type { ProjectSettings } from './project-settings.js';

/** The version of the file's form. */
export const backupFileVersion = 1;

/** The first line of a file. */
export interface FileHead {
  type: 'spillway-backup';
  version: number;
  made_at: string;
  /** The version of the program that made it. */
  made_with: string;
  project: string;
  settings: ProjectSettings;
}

/** Stands before the lines of a thread, which are those of the API. */
export interface ThreadHead {
  type: 'thread';
  id: string;
}

/** The last line of a file. */
export interface FileEnd {
  type: 'end-of-backup';
  threads: number;
  /** SHA-256 of all bytes before this line. */
  sha256: string;
}

/** A file, checked. */
export interface CheckedBackup {
  head: FileHead;
  threadIds: string[];
}

/** The last line of a thread, as the API writes it. No other line begins so. */
const threadEnd = Buffer.from('{"type":"end",');
export const endsThread = (line: Buffer): boolean => line.subarray(0, threadEnd.length).equals(threadEnd);

const damaged = (file: string, what: string, cause?: unknown): CommandError =>
  new CommandError(
    'backup_damaged',
    `${file} is not a whole backup: ${what}.`,
    'Nothing was restored. Use another copy of the file.',
    exitCode.wrongUsage,
    { cause },
  );

/** The lines of a backup file. Throws `CommandError` where it is cut off or damaged. */
export async function* linesOfBackup(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* splitLines(source.pipe(gunzip));
  } catch (error) {
    const { code = '', errno } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw damaged(file, 'it was cut off', error);
    if (code.startsWith('Z_')) throw damaged(file, 'its compression is damaged', error);
    if (errno !== undefined) refuseFile(error, file);
    throw error;
  } finally {
    source.destroy();
  }
}

/**
 * Reads a whole file and checks that it is complete and as it was written. Throws `CommandError` that says what is wrong.
 */
export async function checkBackup(file: string, progress: (bytes: number) => void): Promise<CheckedBackup> {
  const hash = createHash('sha256');
  const threadIds: string[] = [];
  let head: FileHead | null = null;
  let end: FileEnd | null = null;
  let isInThread = false;
  let bytes = 0;
  for await (const line of linesOfBackup(file)) {
    progress((bytes += line.length));
    if (end) throw damaged(file, 'there is more after its last line');
    if (isInThread) {
      isInThread = !endsThread(line);
      hash.update(line);
      continue;
    }
    const value = valueOf(file, line);
    if (!head) head = headOf(file, value);
    else if (value.type === 'thread' && typeof value.id === 'string') {
      threadIds.push(value.id);
      isInThread = true;
    } else if (value.type === 'end-of-backup') end = value as unknown as FileEnd;
    else throw damaged(file, `it has a line of type ${JSON.stringify(value.type)}`);
    if (!end) hash.update(line);
  }
  if (!head || !end) throw damaged(file, 'it ends before its last line: it was cut off');
  if (end.sha256 !== hash.digest('hex') || end.threads !== threadIds.length)
    throw damaged(file, 'its digest is not that of its lines: it was altered or damaged');
  return { head, threadIds };
}

function headOf(file: string, value: Record<string, unknown>): FileHead {
  if (value.type !== 'spillway-backup') throw damaged(file, 'it does not begin as a backup does');
  if (value.version !== backupFileVersion)
    throw damaged(
      file,
      `it has version ${String(value.version)}, and this program reads ${backupFileVersion}`,
    );
  return value as unknown as FileHead;
}

function valueOf(file: string, line: Buffer): Record<string, unknown> {
  try {
    const value = JSON.parse(line.toString('utf8')) as unknown;
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw damaged(file, 'a line of it is not JSON', error);
  }
  throw damaged(file, 'a line of it is not an object');
}
