import classes from './problem-note.module.css';
import { problemOf } from './problem';

/** Why an action failed, beside the button that started it. */
export function ProblemNote({ error }: { error: Error | null }) {
  if (!error) return null;
  const { title, detail, request_id: request } = problemOf(error);
  return (
    <p role="alert" className={classes.note}>
      <b>{title}.</b> {detail}
      {request && <> (request {request})</>}
    </p>
  );
}
