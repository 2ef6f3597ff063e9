import { IconAlertOctagon, IconCircleCheck, IconEye, IconHelpCircle } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { threadPolicyPath } from '@/app/attempts/fixed-content-words';
import { RetryButton } from '@/app/threads/list/retry-button';
import { threadPath } from '@/app/threads/thread-path';
import { concernWords } from './concern-words';
import classes from './concerns.module.css';

type Concern = Schemas['Concern'];

interface Props {
  concerns: readonly Concern[];
  model: Schemas['Attention']['health']['model'];
  /** The last request failed: concerns are from before. */
  failing: boolean;
}

/** What needs attention: each row has the problem and a link to its remedy. */
export function ConcernList({ concerns, model, failing }: Props) {
  return (
    <section aria-labelledby="needs-attention">
      <h2 id="needs-attention" className={classes.heading}>
        Needs attention
      </h2>
      {failing && (
        <p className={classes.none} data-failing>
          <IconHelpCircle size={15} aria-hidden /> The last request failed, so problems since then are
          unknown.
        </p>
      )}
      {concerns.length === 0 && !failing && (
        <p className={classes.none}>
          <IconCircleCheck size={15} aria-hidden /> No problems:{' '}
          {model?.state === 'ok' && 'the summary model answers, '}no thread is parked or stuck, no output is
          corrupt.
        </p>
      )}
      {concerns.length > 0 && (
        <ul className={classes.list}>
          {concerns.map((concern) => (
            <Row key={`${concern.kind} ${concern.reason}`} concern={concern} model={model} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ concern, model }: { concern: Concern; model: Props['model'] }) {
  const { severity, page, thread_ids: ids, kind, reason, count } = concern;
  const { title, detail, action } = concernWords(concern, model);
  // A retry of fixed content that is too large parks again: only its policy or its prompt repairs it.
  const needsPolicy = kind === 'context_refused' || (kind === 'parked' && reason === 'irreducible');
  const Shape = severity === 'act' ? IconAlertOctagon : IconEye;
  return (
    <li className={classes.row} data-severity={severity}>
      <Shape
        size={16}
        role="img"
        aria-label={severity === 'act' ? 'Act' : 'Watch'}
        className={classes.icon}
      />
      <div className={classes.words}>
        <Link href={page} className={classes.title} prefetch={false}>
          {title}
        </Link>
        <p className={classes.detail}>{detail}</p>
        {ids.length > 0 && (
          <p className={classes.threads}>
            {ids.map((id) => (
              <Link key={id} href={threadPath(id)} className="mono inline" prefetch={false}>
                {id}
              </Link>
            ))}
            {kind !== 'model_failing' &&
              count > ids.length &&
              kind !== 'outputs_expiring' &&
              kind !== 'outputs_corrupt' && <span className="dim">and {count - ids.length} more</span>}
          </p>
        )}
      </div>
      <div className={classes.action}>
        {needsPolicy && ids[0] ? (
          <Link href={threadPolicyPath(ids[0])} className={classes.go} prefetch={false}>
            {count === 1 ? 'Edit policy' : 'Edit policy of the first'}
          </Link>
        ) : kind === 'parked' && count === 1 && ids[0] ? (
          <RetryButton threadId={ids[0]} />
        ) : (
          <Link href={page} className={classes.go} prefetch={false}>
            {action}
          </Link>
        )}
      </div>
    </li>
  );
}
