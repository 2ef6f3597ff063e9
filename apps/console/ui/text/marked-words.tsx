import classes from './marked-words.module.css';
import { splitAtWords } from './search-words';
import { ShownText } from './shown-text';

/** A text with the words that are searched for marked in it. */
export const MarkedWords = ({ text, words }: { text: string; words: readonly string[] }) =>
  splitAtWords(text, words).map((piece, i) =>
    piece.hit ? (
      <mark key={i} className={classes.mark}>
        <ShownText text={piece.text} />
      </mark>
    ) : (
      <ShownText key={i} text={piece.text} />
    ),
  );
