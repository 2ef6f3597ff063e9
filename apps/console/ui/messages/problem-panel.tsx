'use client';

import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconMoodPuzzled, IconRefresh } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import classes from './notice.module.css';
import { isTransientStatus, type Problem } from './problem';
import { useReloadWhenBack } from './use-reload-when-back';

/** The errors of fields that the detail does not state already. */
const unsaid = ({ detail, errors = [] }: Problem) =>
  errors.filter(({ message }) => !detail.includes(message));

/**
 * A failure in the API's words, with its request id. Without `onRetry` it reloads the page: after a click, and by itself
 * once an API that was down or busy answers.
 */
export function ProblemPanel({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  const router = useRouter();
  useReloadWhenBack(onRetry === undefined && isTransientStatus(problem.status));
  const Shape = problem.status >= 500 ? IconPlugConnectedX : IconMoodPuzzled;
  return (
    <div className={classes.notice}>
      <div className={classes.alert} role="alert">
        <Shape size={28} stroke={1.5} aria-hidden className={classes.bad} />
        <h2 className={classes.title}>{problem.title}</h2>
        <p className={classes.text}>{problem.detail}</p>
        {unsaid(problem).map((error) => (
          <p key={error.path} className={classes.text}>
            <code>{error.path.replace(/^\//, '').replaceAll('/', '.')}</code> {error.message}
          </p>
        ))}
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={onRetry ?? (() => router.refresh())}
        >
          Try again
        </Button>
      </div>
      {/* Outside of the alert: each try has another id, and screen readers would read all of it again. */}
      <p className={classes.fine}>
        {problem.code}
        {problem.request_id && <> · request {problem.request_id}</>}
      </p>
    </div>
  );
}
