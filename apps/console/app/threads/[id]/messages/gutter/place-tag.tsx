import { QueryLink } from '@/ui/lists/query-link';
import { placeWords, type Place } from './place';
import classes from '../message-row.module.css';

/** Says in words what the gutter draws. */
export function PlaceTag({ place: { name, covered } }: { place: Place }) {
  if (name === 'unknown') return null;
  if (name !== 'summary') {
    return (
      <span className={classes.place} data-name={name}>
        {placeWords[name]}
      </span>
    );
  }
  return (
    <QueryLink
      changes={{ tab: 'summaries', generation: String(covered?.generation) }}
      className={classes.place}
    >
      in summary G{covered?.generation}
    </QueryLink>
  );
}
