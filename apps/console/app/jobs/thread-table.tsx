import type { Schemas } from '@spillway/client';
import table from '@/ui/lists/table.module.css';
import classes from './jobs.module.css';
import { JobRow } from './job-row';
import { tabNames, type ThreadTab } from './tabs';

interface Props {
  threads: Schemas['DueThread'][];
  state: ThreadTab;
}

const withActions: ReadonlySet<ThreadTab> = new Set(['parked', 'backoff', 'proposed']);

/** Threads of one state; each row expands to its attempts. */
export function ThreadTable({ threads, state }: Props) {
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label={`${tabNames[state]} threads`}>
      <table className={table.table}>
        <thead>
          <tr>
            <th aria-label="Attempts" />
            <th>Thread</th>
            <th>Trigger</th>
            <th className={table.right}>Live / trigger</th>
            <th className={table.right}>Attempt</th>
            <th>Waiting since</th>
            {state === 'backoff' && <th>Next try</th>}
            {state === 'parked' && <th>Reason</th>}
            <th>Last error</th>
            {withActions.has(state) && <th aria-label="Actions" />}
          </tr>
        </thead>
        <tbody>
          {threads.map((thread) => (
            <JobRow key={thread.thread_id} thread={thread} state={state} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
