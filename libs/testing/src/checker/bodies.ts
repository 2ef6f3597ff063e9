import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry } from '../journal.js';
import { hashOfMessage, sha256 } from '../message-hash.js';
import type { Evidence } from './evidence.js';
import type { MessageFacts, OutputFacts } from './rows.js';
import { violation, type Violation } from './violation.js';

/**
 * I5: what is stored is what was sent: the body, with its outputs restored, has the values that the client recorded and
 * the hash of the row. I11: no message row changed after it was written.
 */
export async function bodies(evidence: Evidence, outputsFolder: string): Promise<Violation[]> {
  const found: Violation[] = [];
  const sent = new Map(
    evidence.journals
      .flat()
      .filter(isIntent)
      .map((entry) => [keyOf(entry), entry.sha256]),
  );
  const names = new Map(evidence.threads.map((thread) => [thread.uid, thread.name]));
  const outputs = new Map(evidence.outputs.map((output) => [output.id, output]));
  for (const message of evidence.messages) {
    const at = names.get(message.uid) ?? message.uid;
    const posted = await postedMessage(message, outputs.get(message.outputId ?? ''), outputsFolder);
    if (posted === null) continue;
    const expected = sent.get(`${at} ${message.clientId}`);
    if (expected !== undefined && hashOfMessage(posted) !== expected)
      found.push(violation('I5', at, message.seq, 'it is not what was sent'));
    else if (sha256(JSON.stringify(posted)) !== message.hash)
      found.push(violation('I5', at, message.seq, 'its hash is of something else'));
  }
  for (const { uid, seq, what } of evidence.changes ?? [])
    found.push(violation('I11', names.get(uid) ?? uid, seq, `${what} of a stored message`));
  return found;
}

/** The message with its output restored; null when the output is gone, and the proof with it. */
async function postedMessage(
  message: MessageFacts,
  output: OutputFacts | undefined,
  folder: string,
): Promise<unknown> {
  const body = JSON.parse(message.body) as object;
  if (message.outputId === null) return body;
  if (output?.state !== 'ready') return null;
  if (output.uploaded) return body;
  // A missing blob is reported once, by the check of outputs.
  const content = await readFile(join(folder, output.originalKey ?? output.blobKey), 'utf8').catch(
    () => null,
  );
  if (content === null) return null;
  return { ...body, content: output.originalKey === null ? content : (JSON.parse(content) as unknown) };
}

const isIntent = (entry: JournalEntry) => entry.kind === 'intent';
const keyOf = (entry: { project: string; thread: string; id: string }) =>
  `${entry.project}/${entry.thread} ${entry.id}`;
