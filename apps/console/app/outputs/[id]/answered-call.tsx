'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { contentOf } from '@/app/threads/[id]/messages/content/message-content';
import { threadPath } from '@/app/threads/thread-path';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ShownText } from '@/ui/text/shown-text';
import classes from './output.module.css';
import { useViewingThread } from './use-viewing-thread';

/** A call stands shortly before its result: between them are at most the results of the calls beside it. */
const searched = 20;

/** The call that an output answers, which says more about it than its id. Nothing where the call is not found. */
export function AnsweredCall({ output }: { output: Schemas['Output'] }) {
  const { seq, tool_call_id: callId } = output;
  const thread = useViewingThread(output);
  const { data: call } = useQuery({
    queryKey: ['answered-call', output.id, thread],
    queryFn: ({ signal }) => findCall({ thread, seq: seq ?? 0, callId: callId ?? '' }, signal),
    enabled: seq !== null && callId !== null,
    staleTime: Infinity,
  });
  if (!call) return null;
  return (
    <p className={classes.call}>
      <span className="dim">Answers</span>{' '}
      <Link href={threadPath(thread, call.seq)} prefetch={false} className="mono inline" title={call.words}>
        <ShownText text={call.words} />
      </Link>
    </p>
  );
}

interface Wanted {
  thread: string;
  /** The message of the result. */
  seq: number;
  callId: string;
}

async function findCall({ thread, seq, callId }: Wanted, signal: AbortSignal) {
  const query = {
    after: Math.max(0, seq - 1 - searched),
    before: seq,
    limit: searched,
    view: 'context',
    media: 'marked',
  } as const;
  const { data } = await dataOf(
    browserApi.GET('/v1/threads/{id}/messages', { params: { path: { id: thread }, query }, signal }),
  );
  for (const message of data.toReversed()) {
    const call = contentOf(message.message).toolCalls.find(({ id }) => id === callId);
    if (call) return { seq: message.seq, words: callWords(call.arguments) || call.name };
  }
  return null;
}

/** The arguments of a call on one line; a single text, such as a command, as it is. */
function callWords(args: string): string {
  try {
    const values = Object.values(JSON.parse(args) as Record<string, unknown>);
    if (values.length === 0) return '';
    if (values.length === 1 && typeof values[0] === 'string') return values[0];
  } catch {
    // Not JSON: shown as the model wrote it.
  }
  return args;
}
