import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalEntry } from '../journal.js';
import type { Evidence } from './evidence.js';
import type { MessageFacts, OutputFacts } from './rows.js';
import { violation, type Violation } from './violation.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * I5: what is stored is what was sent, byte for byte: the row's hash is the journal's, and the body, with its
 * output put back where it was taken out, has that hash. I11: no message row changed after it was written.
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
    const expected = sent.get(`${at} ${message.clientId}`);
    if (expected !== undefined && expected !== message.hash)
      found.push(violation('I5', at, message.seq, 'its hash is not the one of what was sent'));
    if (message.bodyHash === message.hash) continue;
    const output = outputs.get(message.outputId ?? '');
    const why = await unlike(message, output, outputsFolder);
    if (why) found.push(violation('I5', at, message.seq, why));
  }
  for (const { uid, seq, what } of evidence.changes ?? [])
    found.push(violation('I11', names.get(uid) ?? uid, seq, `${what} of a stored message`));
  return found;
}

/** Why a body whose hash differs is not simply one without its output; null when it is, or can't be told any more. */
async function unlike(
  message: MessageFacts,
  output: OutputFacts | undefined,
  folder: string,
): Promise<string | null> {
  if (!output) return message.outputId ? `its output ${message.outputId} has no row` : 'its body changed';
  if (output.state !== 'ready') return null;
  const body = JSON.parse(message.body!) as { role: string };
  if (body.role !== 'tool') return null;
  const content: unknown =
    output.original === null
      ? await readFile(join(folder, output.blobKey), 'utf8').catch(() => null)
      : JSON.parse(output.original);
  // A blob that is missing is said once, by the check of outputs.
  if (content === null) return null;
  return sha256(JSON.stringify({ ...body, content })) === message.hash
    ? null
    : 'body and output together are not what was sent';
}

const isIntent = (entry: JournalEntry) => entry.kind === 'intent';
const keyOf = (entry: { project: string; thread: string; id: string }) =>
  `${entry.project}/${entry.thread} ${entry.id}`;
