'use client';

import { Button, Popover } from '@mantine/core';
import { IconPin, IconPinnedOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useMissingScope } from '@/ui/access/use-missing-scope';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { exactTime } from '@/ui/exact-time';
import classes from '../output.module.css';

/** Pins an output, or lets it expire again, after a confirmation. */
export function PinButton({ output }: { output: Schemas['Output'] }) {
  const queries = useQueryClient();
  const params = { path: { id: output.id } };
  const { pinned } = output;
  const change = useConfirmation({
    mutationFn: () =>
      dataOf(
        pinned
          ? browserApi.DELETE('/v1/outputs/{id}/pin', { params })
          : browserApi.POST('/v1/outputs/{id}/pin', { params }),
      ),
    onSuccess: (now) => {
      queries.setQueryData(['output', output.id], now);
      notifyDone(
        now.pinned ? 'Pinned' : 'Unpinned',
        now.pinned ? 'No sweep removes it.' : 'It may expire again.',
      );
    },
  });
  const missing = useMissingScope('threads:manage');
  const Shape = pinned ? IconPinnedOff : IconPin;
  return (
    <Popover
      opened={change.opened}
      onChange={(opened) => (opened ? change.open() : change.close())}
      trapFocus
      returnFocus
      withArrow
      shadow="md"
      width={290}
    >
      <Popover.Target>
        <Button
          variant="default"
          disabled={missing !== null}
          title={missing === null ? undefined : `Needs a key with the scope ${missing}`}
          leftSection={<Shape size={14} aria-hidden />}
          onClick={change.opened ? change.close : change.open}
        >
          {pinned ? 'Unpin' : 'Pin'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={pinned ? 'Unpin this output' : 'Pin this output'}>
        <p className={classes.explained}>
          {pinned
            ? `It is removed by the next sweep after ${output.expires_at ? exactTime(output.expires_at) : 'it expires'}, or before when the project holds too many bytes. The model can then no longer read it.`
            : 'No sweep removes a pinned output, whatever its age and however much the project holds. Its bytes still count towards what the project holds.'}
        </p>
        <Button
          fullWidth
          color={pinned ? 'red' : undefined}
          loading={change.isPending}
          onClick={change.confirm}
        >
          {pinned ? 'Unpin, let it expire' : 'Pin, keep it'}
        </Button>
        <ProblemNote error={change.error} />
      </Popover.Dropdown>
    </Popover>
  );
}
