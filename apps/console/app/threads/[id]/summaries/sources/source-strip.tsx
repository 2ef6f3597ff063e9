'use client';

import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { problemOf } from '@/ui/messages/problem';
import { count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import { MessageLink } from '../../message-link';
import { excerptOf } from './excerpt-of';
import classes from './strip.module.css';
import type { Statement } from '../facts/use-facts';

interface Props {
  threadId: string;
  facts: UseQueryResult<Schemas['SummaryFacts']>;
  /** The hovered or focused statement. */
  statement: Statement | null;
}

/** The source messages of the hovered statement. */
export function SourceStrip({ threadId, facts, statement }: Props) {
  return (
    <section className={classes.strip} aria-label="Sources">
      <h3 className={classes.title}>Sources</h3>
      {facts.isError && <p className="dim">{problemOf(facts.error).detail}</p>}
      {facts.isLoading && <p className="dim">Searching the messages …</p>}
      {facts.data &&
        (statement === null ? (
          <Doubtful statements={facts.data.statements ?? []} />
        ) : (
          <Messages threadId={threadId} statement={statement} />
        ))}
    </section>
  );
}

function Doubtful({ statements }: { statements: readonly Statement[] }) {
  const doubtful = statements.filter(({ missing }) => missing.length > 0).length;
  return (
    <>
      <p className="dim">Point at a line of the summary to see the messages it comes from.</p>
      <p className={doubtful > 0 ? classes.doubt : 'dim'}>
        {doubtful > 0
          ? `${doubtful} of ${statements.length} lines have a value that is not in the thread.`
          : `Every identifier, number and name of its ${statements.length} lines is in the thread.`}
      </p>
    </>
  );
}

const shown = 4;
const why: Record<Statement['basis'], string> = {
  cited: 'The line cites',
  matched: 'Identifiers and rare words shared with',
  none: 'No message holds the values of this line.',
  unclear: 'Nothing checkable: no identifier, number or name.',
};

function Messages({ threadId, statement: { basis, seqs } }: { threadId: string; statement: Statement }) {
  const first = seqs.slice(0, shown);
  const messages = useQueries({
    queries: first.map((seq) => ({
      queryKey: ['excerpt', threadId, seq],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = { after: seq - 1, limit: 1, view: 'context' as const };
        const path = { id: threadId };
        const page = await dataOf(
          browserApi.GET('/v1/threads/{id}/messages', { params: { path, query }, signal }),
        );
        return page.data[0] ? excerptOf(page.data[0]) : null;
      },
      staleTime: 300_000,
    })),
  });
  return (
    <>
      <p className="dim">{why[basis]}</p>
      <ol className={classes.messages}>
        {first.map((seq, i) => (
          <li key={seq}>
            <MessageLink seq={seq} label={`Message ${count(seq)}`} />{' '}
            <span className="dim">{messages[i]?.data?.role}</span>
            <p>
              {messages[i]?.isError ? (
                'It could not be read.'
              ) : (
                <ShownText text={messages[i]?.data?.text ?? '…'} />
              )}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
