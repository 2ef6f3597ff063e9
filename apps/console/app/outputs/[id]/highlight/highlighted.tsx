import { ShownText } from '@/ui/text/shown-text';
import type { Piece } from './highlight';
import classes from '../output.module.css';

export const Highlighted = ({ pieces }: { pieces: Piece[] }) => (
  <>
    {pieces.map(({ text, hit }, i) =>
      hit ? (
        <mark key={i} className={classes.hit}>
          <ShownText text={text} />
        </mark>
      ) : (
        <span key={i}>
          <ShownText text={text} />
        </span>
      ),
    )}
  </>
);
