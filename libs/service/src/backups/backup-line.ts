import { SpillwayError } from '@spillway/engine';

/** The version of the form of a backup. Another one is refused. */
export const backupVersion = 1;

/** Which of the two blobs of an output: its text, or the posted content that the text cannot give back. */
export type BlobPart = 'text' | 'original';

export interface HeadLine {
  type: 'spillway-thread';
  version: number;
  /** Of the server that made it. */
  server: string;
  made_at: string;
  id: string;
}

export interface RowLine {
  type: 'row';
  table: string;
  row: Readonly<Record<string, unknown>>;
}

/** Media of messages. Without data they were gone already. */
export interface MediaLine {
  type: 'media';
  sha256: string;
  extension: string;
  data: string | null;
}

/** A piece of a blob, in base64. The pieces of one follow each other. */
export interface BytesLine {
  type: 'bytes';
  output: string;
  part: BlobPart;
  data: string;
}

/** The bytes of an output were gone or damaged already; pieces before this line do not count. */
export interface MissingLine {
  type: 'missing';
  output: string;
  /** Only the posted form was lost; the text is there. */
  part?: 'original';
}

export interface EndLine {
  type: 'end';
  /** Lines before this one. */
  lines: number;
  /** SHA-256 of all bytes before this line. */
  sha256: string;
  /** SHA-256 of system prompt and messages of the context; null when the thread changed meanwhile, or has none. */
  context_sha256: string | null;
}

export type BackupLine = HeadLine | RowLine | MediaLine | BytesLine | MissingLine | EndLine;

/** Why a backup cannot be restored. Nothing of it is kept. */
export const backupRefusal = (what: string, cause?: unknown): SpillwayError =>
  new SpillwayError(
    'invalid_request',
    `The backup is refused: ${what}`,
    undefined,
    cause === undefined ? undefined : { cause },
  );

export const refuseBackup = (what: string, cause?: unknown): never => {
  throw backupRefusal(what, cause);
};

const required: Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'object'>>>> = {
  'spillway-thread': { version: 'number', made_at: 'string', id: 'string' },
  row: { table: 'string', row: 'object' },
  media: { sha256: 'string', extension: 'string' },
  bytes: { output: 'string', part: 'string', data: 'string' },
  missing: { output: 'string' },
  end: { lines: 'number', sha256: 'string' },
};

/** Reads a line. Throws `invalid_request` that names its number. */
export function backupLineOf(bytes: Buffer, number: number): BackupLine {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return refuseBackup(`line ${number} is not JSON.`, error);
  }
  const line = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const fields = Object.hasOwn(required, String(line.type)) ? required[String(line.type)] : undefined;
  if (!fields) return refuseBackup(`line ${number} is of no known type.`);
  for (const [name, type] of Object.entries(fields))
    if (typeof line[name] !== type || line[name] === null)
      refuseBackup(`line ${number} has no valid "${name}".`);
  return line as unknown as BackupLine;
}
