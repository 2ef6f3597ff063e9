'use client';

import { Button, Group, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyProblem } from '@/ui/messages/notify';
import classes from './compact.module.css';
import { nothingSaved } from './nothing-saved';
import { lacksKeep, noFields, policyOf } from './policy-fields';
import { PolicyForm } from './policy-form';
import { PreviewPanel } from './preview-panel';
import { RunSteps } from './run-steps';
import { useCompactionRun } from './use-compaction-run';
import { usePreview } from './use-preview';

interface Props {
  thread: Schemas['Thread'];
  opened: boolean;
  onClose: () => void;
}

/** Previews a compaction, allows one-off changes of the policy, and runs it. */
export function CompactDialog({ thread, opened, onClose }: Props) {
  const [fields, setFields] = useState(noFields);
  const [typed] = useDebouncedValue(fields, 350);
  const run = useCompactionRun(thread);
  const preview = usePreview(thread, policyOf(typed), opened && run.kind === null);
  const compact = useMutation({
    mutationFn: () => {
      const policy = policyOf(fields);
      return dataOf(
        browserApi.POST('/v1/threads/{id}/compactions', {
          params: { path: { id: thread.id } },
          body: policy ? { policy } : {},
        }),
      );
    },
    onSuccess: ({ result }) => run.start('compact', result === 'paused'),
    onError: notifyProblem,
  });
  const pointless = preview.data ? nothingSaved(preview.data) : null;
  // The submitted policy must be the previewed one.
  const isCurrent = typed === fields && !lacksKeep(fields) && !preview.isFetching && !preview.isError;
  const close = () => {
    onClose();
    if (run.end) run.putAway();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Compact now"
      size={880}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {run.kind === null ? (
        <div className={classes.columns}>
          <PolicyForm fields={fields} onChange={(changes) => setFields({ ...fields, ...changes })} />
          <PreviewPanel preview={preview} onTrigger={(trigger) => setFields({ ...fields, trigger })} />
        </div>
      ) : (
        <RunSteps run={run} onFollow={close} />
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          {run.kind === null ? 'Cancel' : 'Close'}
        </Button>
        {run.kind === null && (
          <Button
            loading={compact.isPending}
            disabled={!isCurrent || preview.data?.result !== 'would_compact' || pointless !== null}
            onClick={() => compact.mutate()}
          >
            Compact
          </Button>
        )}
      </Group>
    </Modal>
  );
}
