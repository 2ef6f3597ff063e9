import { IconAlertTriangle } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { count, plural } from '@/ui/quantity';
import { faithfulnessOf } from './faithfulness-of';
import classes from '../summaries.module.css';

/** What a summary dropped and possibly invented, at the top of the page. */
export function Faithfulness({ facts }: { facts: Schemas['SummaryFacts'] }) {
  const { all, dropped, doubtful, statements } = faithfulnessOf(facts);
  return (
    <p className={classes.faithfulness}>
      <a href="#facts-title" className="inline num">
        {count(dropped)} of {plural(all, 'fact')} dropped
      </a>
      {doubtful > 0 ? (
        <span className={classes.doubt}>
          <IconAlertTriangle size={13} aria-hidden /> {count(doubtful)} of {plural(statements, 'line')}{' '}
          {doubtful === 1 ? 'has' : 'have'} a value that is not in the thread
        </span>
      ) : (
        <span className="dim">no value that is not in the thread</span>
      )}
    </p>
  );
}
