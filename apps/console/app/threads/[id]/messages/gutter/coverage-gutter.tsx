import { QueryLink } from '@/ui/lists/query-link';
import classes from './coverage-gutter.module.css';
import type { Standing } from './standing';
import { toGeneration } from '../../summaries/to-generation';

/** A bracket around the messages that one generation covers; a solid line beside those that are sent now. */
export function CoverageGutter({ seq, standing: { name, covered } }: { seq: number; standing: Standing }) {
  if (!covered) return <div className={classes.gutter} data-line={name} />;
  return (
    <div
      className={classes.gutter}
      data-line="covered"
      data-sent={name === 'carried' || name === 'system'}
      data-parity={covered.generation % 2}
      data-first={seq === covered.from_seq}
      data-last={seq === covered.to_seq}
    >
      <QueryLink
        changes={toGeneration(covered.generation)}
        className={classes.label}
        title={`Generation ${covered.generation} covers messages ${covered.from_seq}–${covered.to_seq}`}
      >
        G{covered.generation}
      </QueryLink>
    </div>
  );
}
