import { QueryLink } from '@/ui/lists/query-link';
import { standingWords, type Standing } from './standing';
import classes from '../message-row.module.css';

/** The gutter's meaning in words. */
export function StandingTag({ standing: { name, covered } }: { standing: Standing }) {
  if (name === 'unknown') return null;
  if (name !== 'summary') {
    return (
      <span className={classes.standing} data-name={name}>
        {standingWords[name]}
      </span>
    );
  }
  return (
    <QueryLink
      changes={{ tab: 'summaries', generation: String(covered?.generation) }}
      className={classes.standing}
    >
      in summary G{covered?.generation}
    </QueryLink>
  );
}
