'use client';

import { Button, Checkbox, NativeSelect, NumberInput, Popover } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { count } from '@/ui/quantity';
import classes from './filters.module.css';
import { stateNames } from '../list/shown-state';
import { spans, states, type Span, type ThreadFilters } from './thread-filters';
import { useThreadCounts } from './use-thread-counts';

interface Props {
  filters: ThreadFilters;
  onChange: (changes: Partial<ThreadFilters>) => void;
}

export function FilterMenu({ filters, onChange }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" shadow="md" returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <Fields filters={filters} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Each state and model has its number of threads under all other filters, of which the chosen one of its kind is none. */
function Fields({ filters, onChange }: Props) {
  const { data: ofStates } = useThreadCounts({ ...filters, state: [] });
  const { data: ofModels } = useThreadCounts({ ...filters, model: null });
  const toggle = (state: (typeof states)[number], on: boolean) =>
    onChange({ state: states.filter((other) => (other === state ? on : filters.state.includes(other))) });
  const models =
    ofModels?.models.flatMap(({ model, threads }) => (model === null ? [] : [{ model, threads }])) ?? [];
  const named = filters.model !== null && !models.some(({ model }) => model === filters.model);
  return (
    <div className={classes.fields}>
      <fieldset className={classes.states}>
        <legend>State</legend>
        {states.map((state) => (
          <Checkbox
            key={state}
            label={
              <>
                {stateNames[state]}{' '}
                <span className="num dim">{ofStates ? count(ofStates.states[state]) : ''}</span>
              </>
            }
            checked={filters.state.includes(state)}
            onChange={(event) => toggle(state, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <div className={classes.column}>
        <NativeSelect
          label="Model"
          value={filters.model ?? ''}
          onChange={(event) => onChange({ model: event.currentTarget.value || null })}
          data={[
            { value: '', label: 'any' },
            ...(named ? [{ value: filters.model ?? '', label: filters.model ?? '' }] : []),
            ...models.map(({ model, threads }) => ({ value: model, label: `${model} (${count(threads)})` })),
          ]}
        />
        <NativeSelect
          label="Fill, at least"
          value={filters.fill === null ? '' : String(filters.fill)}
          onChange={(event) =>
            onChange({ fill: event.currentTarget.value ? Number(event.currentTarget.value) : null })
          }
          data={[
            { value: '', label: 'any' },
            ...[...new Set([50, 70, 80, 90, 95, 100, ...(filters.fill === null ? [] : [filters.fill])])].map(
              (share) => ({
                value: String(share),
                label: `${share}% of the limit`,
              }),
            ),
          ]}
        />
        <AtLeast
          label="Messages, at least"
          value={filters.messages}
          onSet={(messages) => onChange({ messages })}
        />
        <AtLeast
          label="Tokens sent now, at least"
          value={filters.tokens}
          onSet={(tokens) => onChange({ tokens })}
        />
        <Within label="Active within" value={filters.active} onSet={(active) => onChange({ active })} />
        <Within label="Quiet for" value={filters.quiet} onSet={(quiet) => onChange({ quiet })} />
        <Within
          label="Compacted within"
          value={filters.compacted}
          onSet={(compacted) => onChange({ compacted })}
        />
        <Checkbox
          label="Parked or failing"
          checked={filters.errors}
          onChange={(event) => onChange({ errors: event.currentTarget.checked })}
        />
      </div>
    </div>
  );
}

function AtLeast({
  label,
  value,
  onSet,
}: {
  label: string;
  value: number | null;
  onSet: (n: number | null) => void;
}) {
  return (
    <NumberInput
      label={label}
      value={value ?? ''}
      onChange={(next) => onSet(typeof next === 'number' ? next : null)}
      min={0}
      max={2_147_483_647}
      allowDecimal={false}
      thousandSeparator=","
      hideControls
    />
  );
}

function Within({
  label,
  value,
  onSet,
}: {
  label: string;
  value: Span | null;
  onSet: (span: Span | null) => void;
}) {
  const names = Object.keys(spans) as Span[];
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={(event) => onSet(names.find((span) => span === event.currentTarget.value) ?? null)}
      data={[{ value: '', label: 'any time' }, ...names]}
    />
  );
}
