import { QueryLink } from '@/ui/lists/query-link';
import { standingWords, type Standing } from './standing';
import classes from '../message-row.module.css';
import { toGeneration } from '../../summaries/to-generation';

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
  if (!covered) return null;
  return (
    <QueryLink changes={toGeneration(covered.generation)} className={classes.standing}>
      in summary G{covered.generation}
    </QueryLink>
  );
}
