'use client';

import { SegmentedControl } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { threadPath } from '@/app/threads/thread-path';
import { count } from '@/ui/quantity';
import classes from '../settings.module.css';
import { ChangedMeanwhile } from './changed-meanwhile';
import { DryRun } from './dry-run/dry-run';
import own from './policy.module.css';
import type { Policy } from './policy-draft';
import { presetsOf, readFields } from './policy-fields';
import { PolicyForm } from './policy-form';
import { RawPolicy } from './raw-policy';
import { UnreadNote } from './unread-note';
import { UnsavedBar } from './unsaved-bar';
import { usePolicy } from './use-policy';
import { useView, views } from './use-view';

interface Props {
  schema: Schemas['PolicySchema'];
  first: Policy;
  threadId: string | null;
  mayChange: boolean;
}

export function PolicyView({ schema, first, threadId, mayChange }: Props) {
  const editing = usePolicy(first, threadId);
  const { view, pick, refused } = useView(editing.unread.texts);
  const fields = readFields(schema);
  return (
    <div className={own.page}>
      <div className={classes.section}>
        <div className={own.top}>
          <Lead threadId={threadId} policy={editing.start} mayChange={mayChange} />
          <SegmentedControl
            aria-label="View"
            size="xs"
            value={view}
            onChange={pick}
            data={Object.entries(views).map(([value, label]) => ({ value, label }))}
          />
        </div>
        {refused && <UnreadNote texts={editing.unread.texts} />}
        <ChangedMeanwhile editing={editing} />
        {view === 'form' && (
          <PolicyForm
            key={editing.edition}
            fields={fields}
            presets={presetsOf(schema)}
            editing={editing}
            disabled={!mayChange}
          />
        )}
        {view === 'json' && <RawPolicy key={editing.edition} editing={editing} disabled={!mayChange} />}
        {view === 'dry-run' && <DryRun draft={editing.draft} dirty={editing.dirty} threadId={threadId} />}
      </div>
      {editing.unsaved && <UnsavedBar editing={editing} mayChange={mayChange} />}
    </div>
  );
}

function Lead({
  threadId,
  policy,
  mayChange,
}: {
  threadId: string | null;
  policy: Policy;
  mayChange: boolean;
}) {
  const note = mayChange ? '' : ' Your key may read it and not change it.';
  if (threadId === null) {
    return (
      <p className={classes.lead}>
        How this project’s threads are treated. It overrides the server’s policy; a thread’s own policy
        overrides it.
        {note}
      </p>
    );
  }
  return (
    <p className={classes.lead}>
      How{' '}
      <Link className="inline" href={threadPath(threadId)}>
        {threadId}
      </Link>{' '}
      is treated. It overrides the{' '}
      <Link className="inline" href="/settings/policy">
        project’s policy
      </Link>
      .
      {'budget' in policy && (
        <>
          {' '}
          Window {count(policy.budget.context_window)} tokens, trigger {count(policy.budget.trigger)}, limit{' '}
          {count(policy.budget.limit)}.
        </>
      )}
      {note}
    </p>
  );
}
