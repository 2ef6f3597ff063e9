'use client';

import { Checkbox, CloseButton, NativeSelect, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTyped } from '@/ui/lists/use-typed';
import { useShortcuts } from '@/ui/shortcuts/use-shortcuts';
import filterClasses from '../threads/filters/filters.module.css';
import { kinds, sorts, states, type OutputFilters } from './output-filters';
import classes from './outputs.module.css';

interface Props {
  filters: OutputFilters;
  onChange: (changes: Partial<OutputFilters>) => void;
}

export function OutputFilterBar({ filters, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const [text, type] = useTyped(filters.q, (q) => onChange({ q }));
  useShortcuts('Outputs', [{ keys: '/', does: 'Search the outputs', run: () => box.current?.focus() }]);
  return (
    <div className={classes.bar}>
      <TextInput
        ref={box}
        className={classes.search}
        aria-label="Search outputs by id, tool or thread"
        placeholder="Part of an id, a tool or a thread"
        value={text}
        maxLength={200}
        spellCheck={false}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      <NativeSelect
        aria-label="Kind"
        value={filters.kind ?? ''}
        onChange={(event) => onChange({ kind: event.currentTarget.value || null })}
        data={[{ value: '', label: 'Any kind' }, ...kinds]}
      />
      <NativeSelect
        aria-label="State"
        value={filters.state ?? ''}
        onChange={(event) =>
          onChange({ state: states.find((state) => state === event.currentTarget.value) ?? null })
        }
        data={[{ value: '', label: 'Any state' }, ...states]}
      />
      <Checkbox
        label="Pinned"
        checked={filters.pinned}
        onChange={(event) => onChange({ pinned: event.currentTarget.checked })}
      />
      <div className={classes.sorts} role="group" aria-label="Order">
        {(Object.keys(sorts) as (keyof typeof sorts)[]).map((sort) => (
          <UnstyledButton
            key={sort}
            className={classes.sort}
            aria-pressed={filters.sort === sort}
            onClick={() => onChange({ sort })}
          >
            {sorts[sort]}
          </UnstyledButton>
        ))}
      </div>
      {(['thread', 'tool'] as const).map(
        (name) =>
          filters[name] !== null && (
            <span key={name} className={filterClasses.token}>
              {name}: {filters[name]}
              <CloseButton
                size="xs"
                aria-label={`Remove the filter ${name}`}
                onClick={() => onChange({ [name]: null })}
              />
            </span>
          ),
      )}
    </div>
  );
}
