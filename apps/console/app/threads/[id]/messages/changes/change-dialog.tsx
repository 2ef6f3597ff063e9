'use client';

import { NumberInput } from '@mantine/core';
import { ConfirmationDialog } from '@/ui/messages/confirmation-dialog';
import type { Confirmation } from '@/ui/messages/use-confirmation';
import { count } from '@/ui/quantity';
import type { MessageChange } from './message-change';

/** How many messages the API keeps or releases at once. */
const maxRange = 200;

interface Words {
  title: string;
  yes: string;
  about: string;
}

const words: Record<MessageChange['name'], (seq: string) => Words> = {
  pin: (seq) => ({
    title: `Pin message ${seq}?`,
    yes: `Pin message ${seq}`,
    about:
      'Every context contains a pinned message and no summary does. A summary that covers it is made again from ' +
      'the original messages, what a caller wrote stays, and the model gets the present one until then.',
  }),
  unpin: (seq) => ({
    title: `Unpin message ${seq}?`,
    yes: `Unpin message ${seq}`,
    about:
      'It may be summarized like any other. Where the summary has passed it already, that is made again from the ' +
      'original messages, what a caller wrote stays, and the model gets the present one until then.',
  }),
  keep: (seq) => ({
    title: `Keep messages from ${seq} on`,
    yes: 'Keep',
    about:
      'They stay in the context beside the next summaries, each with its calls and results. Contexts do not ' +
      'change before the next fold.',
  }),
  release: (seq) => ({
    title: `Release messages from ${seq} on`,
    yes: 'Release',
    about:
      'They are kept no longer, and their tool results become one line each. Contexts do not change before the ' +
      'next fold.',
  }),
  rewind: (seq) => ({
    title: `Rewind to message ${seq}?`,
    yes: `Rewind to message ${seq}`,
    about:
      'All later messages leave the context for good; they stay readable here. A summary that covers one of them ' +
      'gives way to an older one. A fork tries another way and leaves this thread as it is.',
  }),
  erase: (seq) => ({
    title: `Erase message ${seq}?`,
    yes: `Erase message ${seq}`,
    about:
      'Its content, its outputs and every summary made from it are deleted and cannot be restored. Its seq and ' +
      'its call ids stay. The audit log keeps who erased it.',
  }),
};

interface Props {
  change: MessageChange | null;
  onChange: (change: MessageChange) => void;
  lastSeq: number;
  action: Confirmation;
}

/** Says what a change of a message does before it is done. */
export function ChangeDialog({ change, onChange, lastSeq, action }: Props) {
  const { name = 'pin', seq = 0, through = 0 } = change ?? {};
  const { about, ...buttons } = words[name](count(seq));
  const isRange = name === 'keep' || name === 'release';
  const last = Math.min(lastSeq, seq + maxRange - 1);
  const inRange = through !== null && through >= seq && through <= last;
  return (
    <ConfirmationDialog
      {...buttons}
      danger={name === 'rewind' || name === 'erase'}
      incomplete={isRange && !inRange}
      action={action}
    >
      <p style={{ marginTop: 0 }}>{about}</p>
      {change && isRange && (
        <NumberInput
          label="Last message"
          value={through ?? ''}
          onChange={(typed) => onChange({ ...change, through: typeof typed === 'number' ? typed : null })}
          error={inRange ? null : `must be from ${count(seq)} to ${count(last)}`}
          errorProps={{ role: 'alert' }}
          min={seq}
          max={last}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          data-autofocus
        />
      )}
    </ConfirmationDialog>
  );
}
