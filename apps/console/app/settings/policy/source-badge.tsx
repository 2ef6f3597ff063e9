import classes from '../settings.module.css';
import { sourceLabel } from './show-value';

/** Where a value comes from. What somebody set on purpose stands out from what is merely there. */
export function SourceBadge({ source }: { source: string }) {
  const tone =
    source === 'project' || source === 'thread' ? 'accent' : source === 'default' ? undefined : 'warn';
  return (
    <span className={classes.chip} data-tone={tone} data-testid="source">
      {sourceLabel(source)}
    </span>
  );
}
