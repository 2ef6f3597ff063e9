import type { ReactNode } from 'react';
import { count, percent } from '@/ui/quantity';
import classes from './fidelity.module.css';

interface Props {
  name: string;
  kept: number;
  total: number;
  /** What is counted, for somebody who never heard of it. */
  children: ReactNode;
  /** What is said when there is nothing to count. */
  none: string;
  lost: ReactNode[];
}

/** One measure: its share, what it means, and what is missing. */
export function Measure({ name, kept, total, children, none, lost }: Props) {
  const more = total - kept - lost.length;
  return (
    <section className={classes.measure} aria-label={name}>
      <h4>
        {name}
        {total > 0 && (
          <span className="num">
            {count(kept)} of {count(total)} <span className="dim">({percent(kept / total)})</span>
          </span>
        )}
      </h4>
      {total > 0 && (
        <div className={classes.bar} aria-hidden>
          <span style={{ width: `${(100 * kept) / total}%` }} />
        </div>
      )}
      <p className="dim">{children}</p>
      {total === 0 && <p>{none}</p>}
      {total > 0 && kept === total && <p className={classes.whole}>Nothing is missing.</p>}
      {lost.length > 0 && (
        <ul className={classes.lost} aria-label={`Missing: ${name}`}>
          {lost.map((item, i) => (
            <li key={i}>{item}</li>
          ))}
        </ul>
      )}
      {more > 0 && lost.length > 0 && <p className="dim">and {count(more)} more</p>}
    </section>
  );
}
