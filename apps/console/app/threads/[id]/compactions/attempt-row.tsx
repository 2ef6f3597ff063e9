import type { Schemas } from '@spillway/client';
import type { ReactNode } from 'react';
import { AttemptOutcome } from '@/app/attempts/attempt-outcome';
import { makerWords } from '@/app/attempts/maker-words';
import { triggerWords } from '@/app/attempts/trigger-words';
import { count, decrease, duration, usd } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import { MessageLink } from '../message-link';
import classes from './attempt.module.css';
import { toGeneration } from '../summaries/to-generation';

type Attempt = Schemas['CompactionAttempt'];

/** `figures`: whether any attempt of the table has figures. */
export function AttemptRow({ attempt, figures }: { attempt: Attempt; figures: boolean }) {
  const { tokens_before: before, tokens_after: after, generation, from_seq: from, to_seq: to } = attempt;
  return (
    <tr>
      <td>
        <div className={classes.how}>
          <AttemptOutcome attempt={attempt} />
        </div>
      </td>
      <td className="dim">
        <TimeAgo at={attempt.started_at} />
      </td>
      <td className="dim">{triggerWords(attempt.trigger)}</td>
      <td className="num">
        {from !== null && to !== null ? (
          <>
            <MessageLink seq={from} label={`From message ${count(from)}`}>
              {count(from)}
            </MessageLink>
            –
            <MessageLink seq={to} label={`To message ${count(to)}`}>
              {count(to)}
            </MessageLink>
          </>
        ) : (
          <None />
        )}
      </td>
      <td>
        {generation === null ? (
          <None />
        ) : (
          <QueryLink changes={toGeneration(generation)} className="inline">
            Generation {generation}
          </QueryLink>
        )}
      </td>
      <td className="dim">{makerWords(attempt) ?? <None />}</td>
      <td className={`num ${table.right}`}>
        {before !== null && after !== null ? (
          <>
            {count(before)} → {count(after)}{' '}
            {before > after && <span className="dim">{decrease(1 - after / before)}</span>}
          </>
        ) : (
          <None />
        )}
      </td>
      {figures && <Figures attempt={attempt} />}
      <td className={`num ${table.right}`}>
        {attempt.duration_ms === null ? <None /> : duration(attempt.duration_ms)}
      </td>
    </tr>
  );
}

const None = (): ReactNode => <span className="dim">—</span>;

function Figures({ attempt }: { attempt: Attempt }) {
  const { input_tokens: input, output_tokens: output, cost_usd: cost } = attempt;
  return (
    <>
      <td className={`num ${table.right}`}>
        {input === null ? <None /> : `${count(input)} in, ${count(output ?? 0)} out`}
      </td>
      <td className={`num ${table.right}`}>{cost === null ? <None /> : usd(cost)}</td>
    </>
  );
}
