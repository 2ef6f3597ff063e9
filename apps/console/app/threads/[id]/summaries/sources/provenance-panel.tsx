'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { makerWords } from '@/app/attempts/maker-words';
import { triggerWords } from '@/app/attempts/trigger-words';
import { pricesPath } from '@/app/overview/money/prices-path';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { exactTime } from '@/ui/exact-time';
import { count, duration, percent, usd } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { MessageLink } from '../../message-link';
import classes from './provenance.module.css';
import { toGeneration } from '../to-generation';

type Summary = Schemas['Summary'];

/** The origin of a generation: its range, its maker, its cost. */
export function ProvenancePanel({ threadId, summary }: { threadId: string; summary: Summary }) {
  const { tokens_before: before, tokens_after: after } = summary;
  const attempt = useAttempt(threadId, summary);
  const byCode = summary.method === 'extractive';
  const byCaller = summary.method === 'caller';
  return (
    <dl className={classes.panel}>
      <Row name="Own range">
        <MessageLink seq={summary.from_seq} label={`First message of the range, ${count(summary.from_seq)}`}>
          {count(summary.from_seq)}
        </MessageLink>
        –
        <MessageLink seq={summary.to_seq} label={`Last message of the range, ${count(summary.to_seq)}`}>
          {count(summary.to_seq)}
        </MessageLink>
      </Row>
      <Row name="Made as of">
        <QueryLink
          changes={{ tab: 'context', gen: null, generation: null, base: null, at: String(summary.as_of_seq) }}
          className="inline num"
        >
          message {count(summary.as_of_seq)}
        </QueryLink>
      </Row>
      <Row name="Chain">
        {summary.chain}
        {summary.restored_from !== null && (
          <>
            , restored from{' '}
            <QueryLink changes={toGeneration(summary.restored_from)} className="inline">
              generation {summary.restored_from}
            </QueryLink>
          </>
        )}
      </Row>
      <Row name="Made by">
        {makerWords(summary)}
        {byCode && ': its lines are quotes'}
        {byCaller && ': its words are theirs, facts are added by code'}
      </Row>
      <Row name="Tokens">
        <span className="num">
          {count(before)} → {count(after)}
        </span>
        {before > after && <> ({percent(1 - after / before)} less)</>}
      </Row>
      <Row name="Summary">
        <span className="num">{count(summary.tokens)} tokens</span>
      </Row>
      <Row name="Created">
        <time className="num" dateTime={summary.created_at}>
          {exactTime(summary.created_at)}
        </time>
      </Row>
      {attempt && <Row name="Started">{triggerWords(attempt.trigger)}</Row>}
      {attempt && (
        <Row name="Attempt">
          <QueryLink changes={{ tab: 'compactions', gen: null, base: null }} className="inline num">
            {attempt.id}
          </QueryLink>
          {attempt.duration_ms !== null && <> · took {duration(attempt.duration_ms)}</>}
        </Row>
      )}
      {attempt && attempt.trace_id !== null && (
        <Row name="Trace">
          <span className="num">{attempt.trace_id}</span>
        </Row>
      )}
      {summary.prompt_version !== null && !byCode && (
        <Row name="Prompt">version {summary.prompt_version}</Row>
      )}
      {summary.input_tokens !== null && !byCode && (
        <Row name="Model used">
          <span className="num">
            {count(summary.input_tokens)} in, {count(summary.output_tokens ?? 0)} out
          </span>
        </Row>
      )}
      <Row name="Cost">
        {byCode || byCaller ? (
          'none'
        ) : summary.cost_usd === null ? (
          <NoPrice model={summary.model} />
        ) : (
          usd(summary.cost_usd)
        )}
      </Row>
      {summary.carried.length > 0 && (
        <Row name="Carried">
          {summary.carried.slice(0, shownSeqs).map((seq, i) => (
            <span key={seq}>
              {i > 0 && ' '}
              <MessageLink seq={seq} label={`Carried message ${count(seq)}`} />
            </span>
          ))}
          {summary.carried.length > shownSeqs && ` and ${count(summary.carried.length - shownSeqs)} more`}
        </Row>
      )}
    </dl>
  );
}

/** The cost is known for models that had a price at the time. */
const NoPrice = ({ model }: { model: string | null }) => (
  <>
    no price was set then
    {model !== null && (
      <>
        ;{' '}
        <Link href={pricesPath([model])} className="inline">
          set one from now on
        </Link>
      </>
    )}
  </>
);

const shownSeqs = 12;

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.row}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Its attempt; unknown for a restored copy, and for attempts that are no longer kept. */
function useAttempt(threadId: string, summary: Summary): Schemas['CompactionAttempt'] | undefined {
  const attempts = useQuery({
    queryKey: ['attempts', threadId, summary.generation],
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/compactions', {
          params: { path: { id: threadId }, query: { limit: 500 } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
  return attempts.data?.data.find(({ generation }) => generation === summary.generation);
}
