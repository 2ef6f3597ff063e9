import { SpillwayError } from '@spillway/engine';
import { holdMessages, holdOutput } from '../messages/hold-messages.js';
import type { Runtime } from '../runtime.js';
import { outputOfThread } from './output-of-thread.js';
import { answerOf, type ReaderAnswer } from './reader-answer.js';
import type { ReaderThread } from './reader-call.js';
import { answerWithin } from './run-reader-tool.js';

/** Exactly one of them: a message with its call and results, or an output with its whole content. */
interface HoldArguments {
  seq?: number | undefined;
  id?: string | undefined;
}

/** Keeps a message or an output of the thread beside the next summaries, or releases it. Throws `thread_not_found`. */
export const holdTool = (
  rt: Runtime,
  of: ReaderThread,
  hold: 'keep' | 'release',
  { seq, id }: HoldArguments,
): Promise<ReaderAnswer> =>
  answerWithin(rt, of, async (scope) => {
    if ((seq === undefined) === (id === undefined))
      throw new SpillwayError('invalid_request', 'Send either seq or id.');
    const { projectId, threadId } = of;
    if (id !== undefined) await outputOfThread(rt, scope, id);
    const held =
      id === undefined
        ? await holdMessages(rt, { projectId, threadId, fromSeq: seq!, toSeq: seq!, hold })
        : await holdOutput(rt, projectId, id, hold, threadId);
    const what = `Messages ${held.seqs.join(', ')} are ${hold === 'keep' ? 'kept' : 'released'} from the next summary on.`;
    return answerOf(
      what,
      `[Kept messages take ${held.keptTokens} of ${held.maxKeptTokens} tokens.]`,
      scope.room,
      { seqs: held.seqs, kept_tokens: held.keptTokens, max_kept_tokens: held.maxKeptTokens },
    );
  });
