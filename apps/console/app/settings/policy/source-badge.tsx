import classes from '../settings.module.css';
import { sourceLabel } from './show-value';

/** The source of a value. Explicitly set values stand out. */
export function SourceBadge({ source }: { source: string }) {
  const tone =
    source === 'project' || source === 'thread' ? 'accent' : source === 'default' ? undefined : 'warn';
  return (
    <span className={classes.chip} data-tone={tone} data-testid="source">
      {sourceLabel(source)}
    </span>
  );
}
