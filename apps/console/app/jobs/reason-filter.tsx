import { reasonWords } from '@/app/attempts/reason-words';
import { count } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import classes from './jobs.module.css';

interface Props {
  reasons: { reason: string; count: number }[];
  chosen: string | null;
}

/** The park reasons, each with a link to its threads. */
export function ReasonFilter({ reasons, chosen }: Props) {
  const all = reasons.reduce((sum, one) => sum + one.count, 0);
  const choices = [
    { reason: null, name: 'All', count: all },
    ...reasons.map((one) => ({ ...one, name: reasonWords(one.reason).name })),
  ];
  return (
    <nav className={classes.reasons} aria-label="Reason">
      {choices.map((choice) => (
        <span key={choice.reason ?? ''} data-on={choice.reason === chosen}>
          <QueryLink changes={{ tab: 'parked', reason: choice.reason }} className={classes.reason}>
            {choice.name} <span className="num">{count(choice.count)}</span>
            {choice.reason === chosen && <span className={classes.hidden}> (shown)</span>}
          </QueryLink>
        </span>
      ))}
    </nav>
  );
}
