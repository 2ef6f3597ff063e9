import { reasonWords } from '@/app/attempts/reason-words';
import classes from './jobs.module.css';

/** What the listed reasons mean and what to do, once, above the threads. */
export function ReasonNotes({ reasons }: { reasons: readonly string[] }) {
  return (
    <dl className={classes.notes}>
      {reasons.map((reason) => {
        const { name, why } = reasonWords(reason);
        return (
          <div key={reason}>
            <dt>{name}</dt>
            <dd>{why}</dd>
          </div>
        );
      })}
    </dl>
  );
}
