'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ScopedButton } from '@/ui/access/scoped-button';
import table from '@/ui/lists/table.module.css';
import { QueryLink } from '@/ui/lists/query-link';
import { notifyProblem } from '@/ui/messages/notify';
import { count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import classes from './instructions.module.css';
import { generationWords, stateWords } from './instruction-words';

interface Props {
  threadId: string;
  instruction: Schemas['Instruction'];
}

/** One instruction with its state, where it stands, and the buttons that decide about it. */
export function InstructionRow({ threadId, instruction: one }: Props) {
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: (state: 'active' | 'dismissed') =>
      dataOf(
        browserApi.PATCH('/v1/threads/{id}/instructions/{instruction_id}', {
          params: { path: { id: threadId, instruction_id: one.id } },
          body: { state },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['instructions', threadId] }),
    onError: notifyProblem,
  });
  return (
    <tr tabIndex={-1}>
      <td className={classes.text}>
        <span className={one.state === 'active' ? undefined : 'dim'}>
          <ShownText text={one.participant === null ? one.text : `${one.participant}: ${one.text}`} />
        </span>
      </td>
      <td>{stateWords(one)}</td>
      <td className="num">
        {one.source === 'added' ? (
          'added by a person'
        ) : (
          <QueryLink changes={{ tab: null, seq: String(one.seq) }}>{count(one.seq)}</QueryLink>
        )}
      </td>
      <td className="num">{generationWords(one)}</td>
      <td className={`${table.action} ${classes.buttons}`}>
        {!(one.state === 'active' && one.approved) && (
          <ScopedButton
            scope="threads:manage"
            size="compact-xs"
            variant="default"
            aria-label={`Approve: ${one.text}`}
            loading={decide.isPending}
            onClick={() => decide.mutate('active')}
          >
            Approve
          </ScopedButton>
        )}
        {one.state !== 'dismissed' && (
          <ScopedButton
            scope="threads:manage"
            size="compact-xs"
            variant="default"
            aria-label={`Dismiss: ${one.text}`}
            loading={decide.isPending}
            onClick={() => decide.mutate('dismissed')}
          >
            Dismiss
          </ScopedButton>
        )}
      </td>
    </tr>
  );
}
