import {
  resultsOf,
  SpillwayError,
  stubId,
  textOfParts,
  type Message,
  type ResultPart,
} from '@spillway/engine';
import { findUploads, type UploadRow } from '@spillway/store';
import { columnText } from '../output-columns.js';
import type { Runtime } from '../../runtime.js';
import { stubHash } from './upload-output.js';

interface PostedMessage {
  clientId: string | null;
  message: Message;
}

interface PostedStub {
  id: string;
  text: string;
  result: ResultPart;
  clientId: string | null;
  path: string;
}

/**
 * The uploads whose stubs these messages contain as tool results, by result. A stub is recognized by its text, which
 * every format carries unchanged. A stub of an output that was not uploaded, or of another thread, is ordinary text.
 * Throws `invalid_request`, `output_posted` and `output_gone` for a stub that cannot be used.
 */
export async function postedUploads(
  rt: Runtime,
  { projectId, threadId }: { projectId: string; threadId: string },
  messages: readonly PostedMessage[],
): Promise<Map<ResultPart, UploadRow>> {
  const stubs = messages.flatMap(stubsOf);
  if (stubs.length === 0) return new Map();
  const rows = await findUploads(rt.store.query, projectId, [...new Set(stubs.map(({ id }) => id))]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const takenBy = new Map<string, PostedStub>();
  const taken = new Map<ResultPart, UploadRow>();
  for (const stub of stubs) {
    const upload = byId.get(stub.id);
    if (!upload || !isTaken(upload, stub, threadId)) continue;
    const other = takenBy.get(stub.id);
    // The same message twice in a batch is one message.
    if (other && (stub.clientId === null || other.clientId !== stub.clientId)) throw posted(stub);
    takenBy.set(stub.id, stub);
    taken.set(stub.result, upload);
  }
  return taken;
}

function stubsOf({ message, clientId }: PostedMessage, i: number): PostedStub[] {
  return resultsOf(message).flatMap((result) => {
    const text = textOfParts(result.parts);
    const id = stubId(text);
    return id === null ? [] : [{ id, text, result, clientId, path: `/messages/${i}` }];
  });
}

/** Whether this message makes the output readable. False when the stub was posted before: by a retry, or elsewhere. */
function isTaken(upload: UploadRow, stub: PostedStub, threadId: string): boolean {
  const { id, state, seq } = upload;
  if (seq !== null) {
    const isRetry = stub.clientId !== null && stub.clientId === upload.clientId;
    if (upload.threadId === threadId && !isRetry) throw posted(stub, seq);
    return false;
  }
  if (state !== 'staging')
    throw new SpillwayError('output_gone', `Output ${id} was not posted in time. Upload it again.`);
  if (upload.threadId !== threadId)
    throw refused(stub, `Output ${id} was uploaded for another thread.`, 'belongs to another thread');
  if (upload.toolCallId !== null && upload.toolCallId !== columnText(stub.result.callId))
    throw refused(
      stub,
      `Output ${id} was uploaded for the tool call ${JSON.stringify(upload.toolCallId)}.`,
      'answers another tool call',
    );
  if (!stubHash(stub.text).equals(upload.stubHash))
    throw refused(stub, `Post the stub of output ${id} unchanged.`, 'is not the stub');
  return true;
}

const refused = ({ path }: PostedStub, detail: string, message: string): SpillwayError =>
  new SpillwayError('invalid_request', detail, [{ path, message }]);

function posted({ id, path }: PostedStub, seq?: number): SpillwayError {
  const where = seq === undefined ? 'another message of this call' : `message ${seq}`;
  return new SpillwayError(
    'output_posted',
    `Output ${id} belongs to ${where}. Upload it again to post it twice.`,
    [{ path, message: 'holds a stub that was posted before' }],
  );
}
