'use client';

import { Button, type ButtonProps } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { useId, type ComponentPropsWithoutRef } from 'react';
import classes from './scoped-button.module.css';
import { useMissingScope } from './use-missing-scope';

interface Props extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  scope: Schemas['Scope'];
}

/** A button that needs a scope: without it, it is disabled and names the scope. */
export function ScopedButton({ scope, disabled, ...button }: Props) {
  const missing = useMissingScope(scope);
  const id = useId();
  if (missing === null) return <Button {...button} disabled={disabled} />;
  const why = `Needs a key with the scope ${missing}`;
  return (
    <span title={why}>
      <Button {...button} disabled aria-describedby={id} />
      <span id={id} className={classes.hidden}>
        {why}
      </span>
    </span>
  );
}
