import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { noWorkerAdvice } from '@/app/attempts/no-worker-advice';
import { threadPolicyPath } from '@/app/attempts/fixed-content-words';
import { percent } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { TimeAgo, useNow } from '@/ui/time-ago';
import { lastErrorWords, nextWords, whyWords } from './pressure-words';
import classes from './pressure.module.css';
import { toGeneration } from '../summaries/to-generation';

interface Props {
  thread: Schemas['Thread'];
  context: Schemas['Context'] | undefined;
}

/** A worker claims a thread within seconds. */
const lateMs = 60_000;

/** How near a thread is to its next compaction, or why it has none, in words. */
export function Pressure({ thread, context }: Props) {
  const { live_tokens: live, trigger_tokens: trigger, compaction } = thread;
  const { state, detail, next_attempt_at: next, due_since: dueSince } = compaction;
  const lastError = lastErrorWords(compaction);
  const now = useNow();
  const proposed = compaction.prepared?.state === 'proposed';
  const isLate = dueSince !== undefined && !proposed && now - Date.parse(dueSince) > lateMs;
  return (
    <p className={classes.pressure} data-state={state}>
      <span>
        {percent(live / trigger)} of the trigger; {nextWords(compaction, trigger)}.{' '}
        {!detail && (
          <Link href={threadPolicyPath(thread.id)} className="inline" prefetch={false}>
            Edit policy
          </Link>
        )}
      </span>
      {thread.warnings?.map(({ code, detail: warning }) => (
        <span key={code} className={classes.why}>
          <b>{code === 'summaries_off' ? 'Summaries are off. ' : 'A context window that nobody chose. '}</b>
          {warning}
          {code !== 'summaries_off' && (
            <>
              {' '}
              <Link href="/settings/models" className="inline" prefetch={false}>
                View models
              </Link>
            </>
          )}
        </span>
      ))}
      {isLate && (
        <span className={classes.why}>
          Due <TimeAgo at={dueSince} />, and no worker claimed it. {noWorkerAdvice}{' '}
          <Link href="/jobs?tab=due" className="inline" prefetch={false}>
            View queue
          </Link>
        </span>
      )}
      {lastError && (
        <span className={classes.why}>
          {lastError}{' '}
          <QueryLink changes={{ tab: 'compactions' }} className="inline">
            View attempts
          </QueryLink>
        </span>
      )}
      {(state === 'parked' || state === 'backoff') && (
        <span className={classes.why}>
          {detail && !detail.serves_context && <b>This thread cannot serve a context. </b>}
          {whyWords(compaction)}{' '}
          {next && (
            <>
              Next try <TimeAgo at={next} />.{' '}
            </>
          )}
          {detail && (
            <>
              <Link href={threadPolicyPath(thread.id)} className="inline" prefetch={false}>
                Edit the policy of this thread
              </Link>
              {' · '}
            </>
          )}
          {detail && !detail.serves_context && thread.system && (
            <>
              <QueryLink changes={{ tab: 'context', at: null }} className="inline">
                Read the system prompt
              </QueryLink>
              {' · '}
            </>
          )}
          <QueryLink changes={{ tab: 'compactions' }} className="inline">
            View attempts
          </QueryLink>
        </span>
      )}
      {compaction.prepared && proposed && (
        <span className={classes.why}>
          Generation {compaction.prepared.generation} is proposed: the model gets it once it is approved.{' '}
          <QueryLink changes={toGeneration(compaction.prepared.generation)} className="inline">
            Look and decide
          </QueryLink>
        </span>
      )}
      {context?.degraded && (
        <span className={classes.why}>
          Messages are left out or shortened to stay within the budget.{' '}
          <QueryLink changes={{ tab: 'context', at: null }} className="inline">
            Which ones
          </QueryLink>
        </span>
      )}
    </p>
  );
}
