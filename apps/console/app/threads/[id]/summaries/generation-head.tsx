'use client';

import { Button, NativeSelect } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { makerWords } from '@/app/attempts/maker-words';
import { count, percent } from '@/ui/quantity';
import type { RunKind } from '../compact/use-compaction-run';
import { CopySummary } from './copy-summary';
import { isErased, standingOf } from './generation-label';
import { DecideProposal } from './changes/decide-proposal';
import { QuarantineSummary } from './changes/quarantine-summary';
import { RebuildSummary } from './changes/rebuild-summary';
import { RestoreSummary } from './changes/restore-summary';
import { UndoSummary } from './changes/undo-summary';
import classes from './summaries.module.css';
import type { ChosenGeneration } from './use-generation';

interface Props {
  thread: Schemas['Thread'];
  all: readonly Schemas['Summary'][];
  chosen: ChosenGeneration;
  onRun: (kind: RunKind) => void;
}

/** The generation, its base, and its actions. */
export function GenerationHead({ thread, all, chosen, onRun }: Props) {
  const { summary, base, nearestBase, compare } = chosen;
  const { tokens_before: before, tokens_after: after, withdrawn_at: withdrawn } = summary;
  const standing = standingOf(summary);
  const wasInPlace = summary.state !== 'proposed' && summary.state !== 'prepared';
  const bases = all.filter((one) => one !== summary && !isErased(one));
  return (
    <header className={classes.head}>
      <div className={classes.title}>
        <h2>Generation {summary.generation}</h2>
        <span className={classes.standing} data-tone={standing.tone} title={standing.about}>
          {standing.word}
        </span>
        <span className="dim">
          {wasInPlace ? 'stands' : 'would stand'} for messages 1–{count(summary.to_seq)}, made by{' '}
          {makerWords(summary)}
        </span>
        {before > after && (
          <span className="num dim">
            {count(before)} → {count(after)} tokens, {percent(1 - after / before)} less
          </span>
        )}
      </div>
      <div className={classes.actions}>
        {!isErased(summary) && bases.length > 0 && (
          <>
            <NativeSelect
              aria-label="Compare with"
              value={base ? String(base.generation) : ''}
              data={[
                { value: '', label: 'Compare with …' },
                ...bases.map(({ generation }) => ({
                  value: String(generation),
                  label: `Compare with generation ${generation}`,
                })),
              ]}
              onChange={(event) =>
                compare(bases.find(({ generation }) => generation === Number(event.currentTarget.value)))
              }
            />
            <Button
              variant="default"
              aria-pressed={base !== undefined}
              leftSection={<IconArrowsDiff size={14} aria-hidden />}
              onClick={() => compare(base ? undefined : nearestBase)}
            >
              {base ? 'Hide diff' : 'Diff'}
            </Button>
          </>
        )}
        {!isErased(summary) && <CopySummary summary={summary} />}
        {summary.state === 'proposed' && <DecideProposal threadId={thread.id} summary={summary} />}
        {wasInPlace && !summary.active && withdrawn === null && (
          <RestoreSummary threadId={thread.id} summary={summary} />
        )}
        {summary.active && <UndoSummary threadId={thread.id} summary={summary} />}
        {summary.active && <RebuildSummary threadId={thread.id} summary={summary} onRun={onRun} />}
        {wasInPlace && withdrawn === null && (
          <QuarantineSummary threadId={thread.id} summary={summary} onRun={onRun} />
        )}
      </div>
    </header>
  );
}
