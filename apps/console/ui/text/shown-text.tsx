import { splitAtHidden } from './hidden-characters';
import classes from './shown-text.module.css';

/** A text that somebody else wrote. Characters that hide or turn text are shown as marks. */
export const ShownText = ({ text }: { text: string }) =>
  splitAtHidden(text).map((piece, i) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={i} className={classes.mark} title={piece.about}>
        {piece.mark}
      </span>
    ),
  );
