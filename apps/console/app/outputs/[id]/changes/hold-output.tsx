'use client';

import { IconBookmark, IconBookmarkOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import type { ComponentType } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ScopedButton } from '@/ui/access/scoped-button';
import { ConfirmationDialog } from '@/ui/messages/confirmation-dialog';
import { notifyDone } from '@/ui/messages/notify';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { count, plural } from '@/ui/quantity';
import { useViewingThread } from '../use-viewing-thread';

type Output = Schemas['Output'];

/** Keeps an output whole in the context, or releases it, after a confirmation. A fork holds a shared output for itself. */
export function HoldOutput({ output }: { output: Output }) {
  const thread = useViewingThread(output);
  // An output that its message does not name yet is in no context.
  if (output.seq === null) return null;
  return (
    <>
      <HoldButton output={output} thread={thread} hold="keep" label="Keep" Icon={IconBookmark} />
      <HoldButton output={output} thread={thread} hold="release" label="Release" Icon={IconBookmarkOff} />
    </>
  );
}

interface Props {
  output: Output;
  thread: string;
  hold: 'keep' | 'release';
  label: string;
  Icon: ComponentType<{ size: number }>;
}

function HoldButton({ output, thread, hold, label, Icon }: Props) {
  const queries = useQueryClient();
  const keeps = hold === 'keep';
  const action = useConfirmation({
    mutationFn: () => {
      const params = { path: { id: output.id }, query: { thread } };
      return dataOf(
        keeps
          ? browserApi.POST('/v1/outputs/{id}/keep', { params })
          : browserApi.POST('/v1/outputs/{id}/release', { params }),
      );
    },
    onSuccess: (held) => {
      notifyDone(
        keeps ? 'Kept' : 'Released',
        keeps
          ? `Whole from the next fold on. All kept messages take ${count(held.kept_tokens)} of ` +
              `${count(held.max_kept_tokens)} tokens.`
          : 'One line from the next fold on.',
      );
      return queries.invalidateQueries();
    },
  });
  return (
    <>
      <ScopedButton
        scope="messages:write"
        variant="default"
        leftSection={<Icon size={14} aria-hidden />}
        onClick={action.open}
      >
        {label}
      </ScopedButton>
      <ConfirmationDialog
        title={keeps ? 'Keep this output in the context?' : 'Release this output?'}
        yes={keeps ? 'Keep it whole' : 'Release it'}
        action={action}
      >
        <p style={{ marginTop: 0 }}>
          {keeps ? (
            <>
              From the next fold on, contexts of <b className="mono">{thread}</b> contain the whole output,{' '}
              {plural(output.tokens, 'token')}, in place of its stub, whatever is summarized. What a thread
              keeps may take a quarter of its limit.{' '}
              {!output.pinned && 'It expires all the same: pin it to prevent that.'}
            </>
          ) : (
            <>
              From the next fold on, contexts of <b className="mono">{thread}</b> contain one line in place of
              the result, and it is kept no longer. The output stays readable here.
            </>
          )}
        </p>
      </ConfirmationDialog>
    </>
  );
}
