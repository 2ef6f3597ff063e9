import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import classes from './error-groups.module.css';
import { groupErrors } from './group-errors';
import { reasonWords } from './reason-words';

/** The errors of the listed attempts, equal ones grouped. */
export function ErrorGroups({ attempts }: { attempts: readonly Schemas['CompactionAttempt'][] }) {
  const groups = groupErrors(attempts);
  if (groups.length === 0) return null;
  return (
    <ul className={classes.groups} aria-label="Errors of the attempts below">
      {groups.map(({ reason, error, count: times, lastAt }) => (
        <li key={`${reason} ${error}`}>
          <strong className="num">{count(times)} ×</strong> {reason && reasonWords(reason).name}{' '}
          <span className="dim">
            last <TimeAgo at={lastAt} />
          </span>
          <p>{error}</p>
          {reason && <p>{reasonWords(reason).why}</p>}
        </li>
      ))}
    </ul>
  );
}
