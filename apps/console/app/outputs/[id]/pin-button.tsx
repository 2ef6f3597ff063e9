'use client';

import { Button, Popover } from '@mantine/core';
import { IconPin, IconPinnedOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useMissingScope } from '@/ui/access/use-missing-scope';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import { exactTime } from '@/ui/exact-time';
import classes from './output.module.css';

/** Pins an output, or lets it expire again, after a confirmation. */
export function PinButton({ output }: { output: Schemas['Output'] }) {
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const params = { path: { id: output.id } };
  const { pinned } = output;
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        pinned
          ? browserApi.DELETE('/v1/outputs/{id}/pin', { params })
          : browserApi.POST('/v1/outputs/{id}/pin', { params }),
      ),
    onSuccess: (now) => {
      queries.setQueryData(['output', output.id], now);
      setOpened(false);
      notifyDone(
        now.pinned ? 'Pinned' : 'Unpinned',
        now.pinned ? 'No sweep removes it.' : 'It may expire again.',
      );
    },
    onError: notifyProblem,
  });
  const missing = useMissingScope('threads:manage');
  const Shape = pinned ? IconPinnedOff : IconPin;
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withArrow shadow="md" width={290}>
      <Popover.Target>
        <Button
          variant="default"
          disabled={missing !== null}
          title={missing === null ? undefined : `Needs a key with the scope ${missing}`}
          leftSection={<Shape size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
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
          onClick={() => change.mutate()}
        >
          {pinned ? 'Unpin, let it expire' : 'Pin, keep it'}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
