'use client';

import { CloseButton, UnstyledButton } from '@mantine/core';
import { count } from '@/ui/quantity';
import { stateNames } from '../list/shown-state';
import type { ThreadFilters } from './thread-filters';
import classes from './filters.module.css';

interface Token {
  says: string;
  without: Partial<ThreadFilters>;
}

/** The active filters, each removable. */
export function tokensOf(filters: ThreadFilters): Token[] {
  const { q, state, model, errors, fill, messages, tokens, active, quiet, compacted } = filters;
  const inUse: (Token | null | false | '')[] = [
    q && { says: `id or metadata: “${q}”`, without: { q: '' } },
    ...state.map((one) => ({
      says: `state: ${stateNames[one]}`,
      without: { state: state.filter((other) => other !== one) },
    })),
    model && { says: `model: ${model}`, without: { model: null } },
    errors && { says: 'parked or failing', without: { errors: false } },
    fill !== null && { says: `fill ≥ ${fill}%`, without: { fill: null } },
    messages !== null && { says: `messages ≥ ${count(messages)}`, without: { messages: null } },
    tokens !== null && { says: `tokens ≥ ${count(tokens)}`, without: { tokens: null } },
    active && { says: `active within ${active}`, without: { active: null } },
    quiet && { says: `quiet for ${quiet}`, without: { quiet: null } },
    compacted && { says: `compacted within ${compacted}`, without: { compacted: null } },
  ];
  return inUse.filter((token) => typeof token === 'object' && token !== null);
}

interface Props {
  filters: ThreadFilters;
  onChange: (changes: Partial<ThreadFilters>) => void;
  onReset: () => void;
}

export function FilterTokens({ filters, onChange, onReset }: Props) {
  const tokens = tokensOf(filters);
  if (tokens.length === 0) return null;
  return (
    <div className={classes.tokens} role="group" aria-label="Filters in use">
      {tokens.map(({ says, without }) => (
        <span key={says} className={classes.token}>
          {says}
          <CloseButton size="xs" aria-label={`Remove the filter ${says}`} onClick={() => onChange(without)} />
        </span>
      ))}
      <UnstyledButton className={classes.reset} onClick={onReset}>
        Clear all
      </UnstyledButton>
    </div>
  );
}
