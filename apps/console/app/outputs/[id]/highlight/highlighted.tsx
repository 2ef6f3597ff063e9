import type { Piece } from './highlight';
import classes from '../output.module.css';

export const Highlighted = ({ pieces }: { pieces: Piece[] }) => (
  <>
    {pieces.map(({ text, hit }, i) =>
      hit ? (
        <mark key={i} className={classes.hit}>
          {text}
        </mark>
      ) : (
        <span key={i}>{text}</span>
      ),
    )}
  </>
);
