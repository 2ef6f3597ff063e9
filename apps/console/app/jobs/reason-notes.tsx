import classes from './jobs.module.css';
import { parkedWords } from './reason-words';

/** What the reasons that are listed mean, and what a person can do: said once, above the threads. */
export function ReasonNotes({ reasons }: { reasons: readonly string[] }) {
  return (
    <dl className={classes.notes}>
      {reasons.map((reason) => {
        const { name, why } = parkedWords(reason);
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
