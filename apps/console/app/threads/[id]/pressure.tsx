import type { Schemas } from '@spillway/client';
import { reasonWords } from '@/app/attempts/reason-words';
import { count, percent } from '@/ui/quantity';
import { QueryLink } from '@/ui/query-link';
import classes from './pressure.module.css';

interface Props {
  thread: Schemas['Thread'];
  context: Schemas['Context'] | undefined;
}

/** How near a thread is to its next compaction, and why it has none, in words. */
export function Pressure({ thread, context }: Props) {
  const tokens = context?.tokens.total ?? thread.live_tokens;
  const { trigger_tokens: trigger, compaction } = thread;
  const { state, reason } = compaction;
  return (
    <p className={classes.pressure} data-state={state}>
      <span>
        {percent(tokens / trigger)} of the trigger; {sayNext(state, trigger)}
      </span>
      {(state === 'parked' || state === 'backoff') && (
        <span className={classes.why}>
          {sayWhy(state, reason)}{' '}
          <QueryLink changes={{ tab: 'compactions' }} className="inline">
            Its attempts
          </QueryLink>
        </span>
      )}
      {!context && tokens > thread.limit_tokens && (
        <span className={classes.why}>
          No context can be made: what must stay verbatim is over the limit of {count(thread.limit_tokens)}{' '}
          tokens.
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

type State = Schemas['ThreadCompaction']['state'];

function sayNext(state: State, trigger: number): string {
  if (state === 'due') return 'compaction is due, a worker takes it up next';
  if (state === 'running') return 'a compaction is running';
  if (state === 'backoff') return 'compaction is tried again';
  if (state === 'parked') return 'compaction is parked until somebody retries it';
  return `compacts at ${count(trigger)} tokens`;
}

function sayWhy(state: State, reason: string | undefined): string {
  const { name, why } = reasonWords(reason ?? 'unknown');
  return `${state === 'parked' ? 'Parked' : 'The last attempt failed'}: ${name}. ${why}`;
}
