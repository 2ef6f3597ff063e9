import { Button } from '@mantine/core';
import classes from './problem-note.module.css';
import { problemOf } from './problem';

interface Props {
  error: Error | null;
  /** Adds a button that tries again. */
  onRetry?: () => void;
}

/** Why an action failed, beside the button that started it; or why a part of a page could not be read. */
export function ProblemNote({ error, onRetry }: Props) {
  if (!error) return null;
  const { title, detail, request_id: request } = problemOf(error);
  return (
    <p role="alert" className={classes.note}>
      <b>{title}.</b> {detail}
      {request && <> (request {request})</>}
      {onRetry && (
        <>
          {' '}
          <Button variant="default" size="compact-xs" onClick={onRetry}>
            Try again
          </Button>
        </>
      )}
    </p>
  );
}
