'use client';

import { Button } from '@mantine/core';
import { FieldInput } from './field-input';
import type { PolicyField } from '../policy-fields';
import own from '../policy.module.css';
import { inWords } from '../show-value';
import { SourceBadge } from '../source-badge';
import type { Unread } from '../use-unread';

interface Props {
  field: PolicyField;
  value: unknown;
  source: string;
  isSet: boolean;
  problem: string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
  onReset: () => void;
  unread: Unread;
}

/** One key: its meaning, value and source, and a button that resets it. */
export function FieldRow({ field, source, isSet, disabled, onReset, ...input }: Props) {
  const { value } = input;
  const { path, key, description } = field;
  const words = inWords(key, value);
  return (
    <div className={own.row} data-set={isSet} data-path={path}>
      <div>
        <div className={own.key} id={`label-${path}`}>
          {key}
        </div>
        <p className={own.about} id={`about-${path}`}>
          {description}
        </p>
      </div>
      <div className={own.value}>
        <FieldInput field={field} disabled={disabled} {...input} />
        {words !== null && <span className={own.words}>{words}</span>}
      </div>
      <div className={own.origin}>
        <SourceBadge source={source} />
        {isSet && !disabled && (
          <Button variant="subtle" size="compact-xs" onClick={onReset} aria-label={`Reset ${path}`}>
            Reset
          </Button>
        )}
      </div>
    </div>
  );
}
