import { IconAlertTriangle } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { count, percent, plural } from '@/ui/quantity';
import { faithfulnessOf } from './faithfulness-of';
import classes from '../summaries.module.css';

interface Props {
  facts: Schemas['SummaryFacts'];
  summary: Schemas['Summary'];
}

/**
 * What a summary dropped and possibly invented, at the top of the page. Most facts are of tool outputs and never used
 * again, so the share of those that somebody wrote stands beside them.
 */
export function Faithfulness({ facts, summary }: Props) {
  const { all, dropped, doubtful, statements } = faithfulnessOf(facts);
  return (
    <p className={classes.faithfulness}>
      <a href="#facts-title" className="inline num">
        {count(dropped)} of {plural(all, 'fact')} dropped
      </a>
      <span className="dim">tool outputs included</span>
      {summary.fidelity && (
        <span>
          <a href="#fidelity-title" className="inline num">
            fidelity {percent(summary.fidelity.score)}
          </a>{' '}
          <span className="dim">of what the user and the agent wrote</span>
        </span>
      )}
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
