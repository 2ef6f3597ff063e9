import classes from './share-bar.module.css';

export type Tone = 'good' | 'carried' | 'summary' | 'bad' | 'free';

interface Part {
  name: string;
  size: number;
  tone: Tone;
}

/** Parts of a whole beside each other, each as wide as its share. Hidden from readers: a list beside it names them. */
export const ShareBar = ({ parts }: { parts: readonly Part[] }) => (
  <div className={classes.bar} aria-hidden>
    {parts
      .filter(({ size }) => size > 0)
      .map(({ name, size, tone }) => (
        <span key={name} className={classes.part} data-tone={tone} style={{ flexGrow: size }} />
      ))}
  </div>
);

/** The tone of a part, beside its name. */
export const Swatch = ({ tone }: { tone: Tone }) => (
  <span className={`${classes.part} ${classes.swatch}`} data-tone={tone} aria-hidden />
);
