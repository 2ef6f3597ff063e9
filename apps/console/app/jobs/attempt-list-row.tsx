import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { AttemptOutcome } from '@/app/attempts/attempt-outcome';
import { makerWords } from '@/app/attempts/maker-words';
import { triggerWords } from '@/app/attempts/trigger-words';
import { pricesPath } from '@/app/overview/money/prices-path';
import { threadPath } from '@/app/threads/thread-path';
import { count, duration, usd } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from './jobs.module.css';

const none = <span className="dim">—</span>;

interface Props {
  attempt: Schemas['ProjectCompactionAttempt'];
  tab: 'done' | 'failed';
}

export function AttemptListRow({ attempt, tab }: Props) {
  const { thread_id, tokens_before: before, tokens_after: after, from_seq, to_seq, generation } = attempt;
  return (
    <tr>
      <td>
        <Link
          href={`${threadPath(thread_id)}?tab=compactions`}
          className={`mono ${classes.id}`}
          prefetch={false}
        >
          {thread_id}
        </Link>
      </td>
      <td>
        <AttemptOutcome attempt={attempt} />
      </td>
      <td className="dim">
        <TimeAgo at={attempt.started_at} />
      </td>
      <td className={`num ${table.right}`}>
        {attempt.duration_ms === null ? none : duration(attempt.duration_ms)}
      </td>
      <td className="dim">{triggerWords(attempt.trigger)}</td>
      {tab === 'done' ? (
        <>
          <td className="num">
            {from_seq === null || to_seq === null ? none : `${count(from_seq)}–${count(to_seq)}`}
            {generation !== null && (
              <>
                {' '}
                <Link
                  href={`${threadPath(thread_id)}?tab=summaries&generation=${generation}`}
                  className="inline"
                  prefetch={false}
                >
                  g{generation}
                </Link>
              </>
            )}
          </td>
          <td className={`num ${table.right}`}>
            {before === null || after === null ? none : `${count(before)} → ${count(after)}`}
          </td>
        </>
      ) : null}
      <td className="dim">{makerWords(attempt) ?? none}</td>
      <td className={`num ${table.right}`}>
        {attempt.input_tokens === null
          ? none
          : `${count(attempt.input_tokens)} / ${count(attempt.output_tokens ?? 0)}`}
      </td>
      <td className={`num ${table.right}`}>
        <Cost attempt={attempt} />
      </td>
    </tr>
  );
}

function Cost({ attempt: { cost_usd: cost, input_tokens: input, model } }: { attempt: Props['attempt'] }) {
  if (cost !== null) return usd(cost);
  if (input === null) return none;
  return (
    <>
      no price then{' '}
      {model !== null && (
        <Link href={pricesPath([model])} className="inline" prefetch={false}>
          set one
        </Link>
      )}
    </>
  );
}
