'use client';

import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';
import { problemOf } from '@/ui/messages/problem';
import { RowsLoading } from '@/ui/lists/rows-loading';
import classes from './compact.module.css';
import { nothingSaved } from './nothing-saved';
import { triggerBelow } from './policy-fields';
import { PreviewBar } from './preview-bar';
import { PreviewNumbers } from './preview-numbers';

type Preview = Schemas['CompactionPreview'];

interface Props {
  preview: UseQueryResult<Preview>;
  /** Accepts a trigger, in percent, at which the current context would be compacted. */
  onTrigger: (percent: number) => void;
}

export function PreviewPanel({ preview, onTrigger }: Props) {
  if (preview.isError) return <Refused error={preview.error} />;
  if (!preview.data) return <RowsLoading rows={4} />;
  const { data } = preview;
  return (
    <div className={classes.preview} aria-busy={preview.isFetching}>
      <p
        role="status"
        className={classes.verdict}
        data-good={data.result === 'would_compact' && nothingSaved(data) === null}
      >
        {verdictOf(data)} {aheadWords(data)}
      </p>
      {data.result === 'below_trigger' && (
        <Button
          variant="default"
          className={classes.lower}
          onClick={() => onTrigger(triggerBelow(data.tokens_before, data.context_window))}
        >
          Lower the trigger this once
        </Button>
      )}
      <PreviewBar preview={data} />
      {data.cut && <PreviewNumbers preview={data} cut={data.cut} />}
    </div>
  );
}

function verdictOf({
  result,
  reason,
  tokens_before: tokens,
  trigger_tokens: trigger,
  compaction,
  cut,
}: Preview): string {
  if (result === 'below_trigger')
    return `Nothing would happen: the context has ${count(tokens)} tokens, and compaction starts at ${count(trigger)}.`;
  if (result === 'nothing_to_compact')
    return reason === 'too_little_to_reclaim'
      ? 'Nothing would happen: too little would be reclaimed.'
      : 'Nothing would happen: all remaining messages stay verbatim (recent, pinned or system messages).';
  const pointless = nothingSaved({ tokens_before: tokens, cut });
  if (pointless !== null) return pointless;
  return compaction.state === 'running'
    ? 'A compaction is running. After it, this would be done:'
    : 'This would be done:';
}

/** What `prepare_ratio` does, which a request never waits for. */
function aheadWords({ prepare_tokens: from, tokens_before: tokens, compaction, cut }: Preview): string {
  if (cut?.prepared_generation)
    return `Generation ${cut.prepared_generation} was written ahead and would be put in place, without another call.`;
  if (compaction.prepared?.state === 'prepared')
    return `Generation ${compaction.prepared.generation} is written ahead: at the trigger it is put in place.`;
  return from !== null && tokens < from
    ? `From ${count(from)} tokens on a model writes the next summary ahead; contexts stay as they are until the trigger.`
    : '';
}

function Refused({ error }: { error: unknown }) {
  const problem = problemOf(error);
  return (
    <div role="alert" className={classes.refused}>
      <strong>{problem.title}</strong>
      {(problem.errors ?? [{ path: '', message: problem.detail }]).map(({ path, message }) => (
        <p key={path}>
          {path && <code>{path.replace(/^\/policy\//, '').replaceAll('/', '.')}</code>} {message}
        </p>
      ))}
    </div>
  );
}
