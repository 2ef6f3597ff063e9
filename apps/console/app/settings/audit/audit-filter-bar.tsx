'use client';

import { Autocomplete, NativeSelect, TextInput } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { useTyped } from '@/ui/lists/use-typed';
import { knownActions } from './action-words';
import { readAuditFilters, type AuditFilters } from './audit-filters';

interface Props {
  filters: AuditFilters;
  keys: Schemas['Key'][];
  onChange: (changes: Partial<AuditFilters>) => void;
}

export function AuditFilterBar({ filters, keys, onChange }: Props) {
  const actors = [
    { value: '', label: 'Anybody' },
    ...keys.map(({ id, name, prefix }) => ({ value: `key:${id}`, label: `${name} (${prefix}…)` })),
    { value: 'operator', label: 'The operator' },
    { value: 'service', label: 'The service itself' },
  ];
  // The URL may name a session, which is in no list.
  if (!actors.some(({ value }) => value === filters.actor))
    actors.push({ value: filters.actor, label: filters.actor });
  const [action, setAction] = useTyped(filters.action, (value) => onChange({ action: value }));
  const [target, setTarget] = useTyped(filters.target, (value) => onChange({ target: value }));
  const [from, setFrom] = useTyped(filters.from, (value) => onChange({ from: value }));
  const [to, setTo] = useTyped(filters.to, (value) => onChange({ to: value }));
  return (
    <>
      <NativeSelect
        label="Who"
        w={200}
        value={filters.actor}
        data={actors}
        onChange={(event) => onChange({ actor: event.currentTarget.value })}
      />
      <NativeSelect
        label="Show"
        w={130}
        value={filters.kind}
        data={[
          { value: '', label: 'Everything' },
          { value: 'changes', label: 'Changes' },
          { value: 'reads', label: 'Reads' },
        ]}
        onChange={(event) => onChange({ kind: kindOf(event.currentTarget.value) })}
      />
      <Autocomplete
        label="Action"
        size="xs"
        w={190}
        placeholder="Any"
        value={action}
        data={[...knownActions]}
        onChange={setAction}
      />
      <TextInput
        label="Target contains"
        w={190}
        value={target}
        onChange={(event) => setTarget(event.currentTarget.value)}
        spellCheck={false}
      />
      <TextInput
        type="date"
        label="From (UTC)"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To (UTC)"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
    </>
  );
}

const kindOf = (value: string) => readAuditFilters((name) => (name === 'kind' ? value : null)).kind;
