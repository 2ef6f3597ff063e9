import { partKinds, type PartKind } from '../context-parts';
import gauge from '../pressure/gauge.module.css';
import classes from './context.module.css';

export const KindChip = ({ kind }: { kind: PartKind }) => (
  <span className={classes.kind}>
    <span className={gauge.swatch} data-kind={kind} aria-hidden>
      {partKinds[kind].letter}
    </span>
    {partKinds[kind].label}
  </span>
);
