import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { openaiMessage } from '@spillway/contracts';
import { errorCode, StartError } from '@spillway/embedded';

/** A message of the file: sent unchanged, and compared with what is returned. */
export type ThreadMessage = Record<string, unknown> & { role: string };

export interface ThreadFile {
  name: string;
  messages: ThreadMessage[];
}

/** Reads a thread in OpenAI chat format, one JSON message per line. Throws a StartError with file and line. */
export async function readThreadFile(path: string): Promise<ThreadFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartError(
      `Cannot read ${path} (${errorCode(error)}): give a file with one JSON message a line.`,
    );
  });
  const messages = text.split('\n').flatMap((line, index) => {
    if (!line.trim()) return [];
    return [readMessage(line, `${path} line ${index + 1}`)];
  });
  if (messages.length === 0) throw new StartError(`${path} holds no messages: give one JSON message a line.`);
  return { name: basename(path).replace(/\.jsonl?$/, ''), messages };
}

function readMessage(line: string, where: string): ThreadMessage {
  const value = parsed(line, where);
  const checked = openaiMessage.safeParse(value);
  if (checked.success) return value as ThreadMessage;
  const issue = checked.error.issues[0];
  const what =
    issue?.path[0] === 'role'
      ? `has no valid role (${role(value)})`
      : `${issue?.path.join('.')}: ${issue?.message}`;
  throw new StartError(`${where} is not a message in OpenAI format: ${what}.`);
}

function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new StartError(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function role(value: unknown): string {
  const given = value !== null && typeof value === 'object' && 'role' in value ? value.role : undefined;
  return `${JSON.stringify(given) ?? 'none'}; system, developer, user, assistant or tool`;
}
