'use client';

import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import type { RunKind } from '../compact/use-compaction-run';
import { FactsPanel } from './facts/facts-panel';
import { Faithfulness } from './facts/faithfulness';
import { FidelityPanel } from './fidelity/fidelity-panel';
import { FieldSection } from './field-section';
import { GenerationHead } from './generation-head';
import { isErased, textsOf } from './generation-label';
import { SlotsGauge } from './slots-gauge';
import { ProvenancePanel } from './sources/provenance-panel';
import { SourceStrip } from './sources/source-strip';
import classes from './summaries.module.css';
import { useFactsSummary, type Statement } from './facts/use-facts';
import type { ChosenGeneration } from './use-generation';

interface Props {
  thread: Schemas['Thread'];
  all: readonly Schemas['Summary'][];
  chosen: ChosenGeneration;
  onRun: (kind: RunKind) => void;
}

/** One generation: its fields, their sources, and the state of its facts. */
export function GenerationView({ thread, all, chosen, onRun }: Props) {
  const { summary, base } = chosen;
  const facts = useFactsSummary(thread.id, summary);
  const statements = facts.data?.statements ?? undefined;
  const [pointed, point] = useState<Statement | null>(null);
  const names = [...new Set([...Object.keys(textsOf(summary)), ...Object.keys(base ? textsOf(base) : {})])];
  return (
    <div
      role="group"
      className={classes.generation}
      data-comparing={base !== undefined}
      tabIndex={-1}
      aria-label={`Generation ${summary.generation}`}
    >
      <GenerationHead thread={thread} all={all} chosen={chosen} onRun={onRun} />
      {facts.data && <Faithfulness facts={facts.data} summary={summary} />}
      <div className={classes.columns}>
        <div className={classes.fields}>
          {isErased(summary) && (
            <p className={classes.note}>
              Its text was erased with a message that it was made from. The record of its compaction stays.
            </p>
          )}
          {names.map((name) => (
            <FieldSection
              key={name}
              name={name}
              summary={summary}
              base={base}
              statements={statements?.filter(({ field }) => field === name)}
              pointed={pointed}
              onPoint={point}
            />
          ))}
        </div>
        <aside className={classes.aside} aria-label="Provenance">
          <ProvenancePanel threadId={thread.id} summary={summary} />
          {summary.slots && !isErased(summary) && <SlotsGauge slots={summary.slots} />}
          {!base && !isErased(summary) && (
            <SourceStrip threadId={thread.id} facts={facts} statement={pointed} />
          )}
        </aside>
      </div>
      {!isErased(summary) && <FidelityPanel thread={thread} summary={summary} />}
      {summary.withdrawn_at === null && <FactsPanel threadId={thread.id} summary={summary} />}
    </div>
  );
}
