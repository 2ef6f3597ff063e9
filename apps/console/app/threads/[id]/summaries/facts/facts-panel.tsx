'use client';

import { NativeSelect } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { LoadMore } from '@/ui/lists/load-more';
import { count, plural } from '@/ui/quantity';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { useQueryString } from '@/ui/lists/query-string';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { FactRow } from './fact-row';
import { FactsBar } from './facts-bar';
import { aboutState, factKinds, factStates } from './fact-words';
import classes from './facts.module.css';
import { useFacts, type FactFilter } from './use-facts';

/** The state of facts (paths, ids, constraints and so on) in the messages that a generation covers. */
export function FactsPanel({ threadId, summary }: { threadId: string; summary: Schemas['Summary'] }) {
  const [params, change] = useQueryString();
  const filter: FactFilter = {
    state: factStates.find((state) => state === params.get('fact')) ?? null,
    kind: factKinds.find(({ kind }) => kind === params.get('kind'))?.kind ?? null,
    range: params.get('range') === 'own' ? 'own' : 'chain',
  };
  const facts = useFacts(threadId, summary.generation, filter);
  return (
    <section className={classes.panel} aria-labelledby="facts-title">
      <div className={classes.head}>
        <h3 id="facts-title">Facts check</h3>
        <p className="dim">
          Facts are the paths, ids, numbers, commands, errors and constraints in the messages that this
          summary stands for. Code finds them and looks for each, letter by letter, in what the model gets
          now.
        </p>
        <dl className={classes.meanings}>
          {factStates.map((state) => (
            <div key={state}>
              <dt>{state}</dt>
              <dd>{aboutState[state]}.</dd>
            </div>
          ))}
        </dl>
      </div>
      {facts.isPending && <RowsLoading rows={5} />}
      {facts.isError && (
        <ProblemPanel problem={problemOf(facts.error)} onRetry={() => void facts.refetch()} />
      )}
      {facts.data && (
        <>
          <FactsBar
            total={facts.data.pages[0]!.total}
            chosen={filter.state}
            onChoose={(fact) => change({ fact })}
          />
          <div className={classes.filters}>
            <NativeSelect
              aria-label="Kind"
              value={filter.kind ?? ''}
              onChange={(event) => change({ kind: event.currentTarget.value })}
              data={kindChoices(facts.data.pages[0]!.counts, filter)}
            />
            <NativeSelect
              aria-label="Range"
              value={filter.range}
              onChange={(event) => change({ range: event.currentTarget.value === 'own' ? 'own' : null })}
              data={[
                { value: 'chain', label: `All messages it covers, 1–${count(summary.to_seq)}` },
                {
                  value: 'own',
                  label: `Its own range, ${count(summary.from_seq)}–${count(summary.to_seq)}`,
                },
              ]}
            />
          </div>
          <FactList facts={facts} />
        </>
      )}
    </section>
  );
}

function FactList({ facts }: { facts: ReturnType<typeof useFacts> }) {
  const pages = facts.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.data);
  const forgotten = pages[0]?.forgotten ?? 0;
  if (rows.length === 0) return <p className={classes.none}>No facts of this kind and state.</p>;
  return (
    <>
      <ul className={classes.rows} aria-label="Facts" aria-busy={facts.isPlaceholderData}>
        {rows.map((fact) => (
          <FactRow key={`${fact.kind} ${fact.text}`} fact={fact} />
        ))}
      </ul>
      <LoadMore list={facts} label="Show more" m="xs" />
      {forgotten > 0 && (
        <p className="dim">{plural(forgotten, 'lighter fact')} of this long range were not checked.</p>
      )}
    </>
  );
}

function kindChoices(counts: Schemas['SummaryFacts']['counts'], { state, kind }: FactFilter) {
  const of = (name: string) => {
    const states = counts[name];
    if (!states) return 0;
    return state ? states[state] : states.kept + states.carried + states.dropped;
  };
  const all = Object.keys(counts).reduce((sum, name) => sum + of(name), 0);
  return [
    { value: '', label: `All kinds (${count(all)})` },
    ...factKinds
      .filter((one) => of(one.kind) > 0 || one.kind === kind)
      .map((one) => ({ value: one.kind, label: `${one.plural} (${count(of(one.kind))})` })),
  ];
}
