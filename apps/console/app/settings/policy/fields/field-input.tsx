'use client';

import { NativeSelect, Slider, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { JsonInput } from './json-input';
import { NumberField } from './number-field';
import type { PolicyField } from '../policy-fields';
import own from '../policy.module.css';
import type { Unread } from '../use-unread';

interface Props {
  field: PolicyField;
  value: unknown;
  problem: string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
  unread: Unread;
}

/** The input for a key's type. Emptying a nullable key unsets it. */
export function FieldInput({ field, value, problem, disabled, onChange, unread }: Props) {
  const { path, kind, nullable, choices } = field;
  const shared = {
    'aria-labelledby': `label-${path}`,
    'aria-describedby': `about-${path}`,
    disabled,
    error: problem,
    errorProps: { role: 'alert' },
    ...(nullable ? { placeholder: 'not set' } : {}),
  };
  const number = { shared, field, value, onChange, unread };
  const text = typeof value === 'string' ? value : '';
  const changeText = (next: string) => onChange(next === '' && nullable ? null : next);
  switch (kind) {
    case 'switch':
      return (
        <Switch
          {...shared}
          checked={value === true}
          label={value === true ? 'on' : 'off'}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...shared}
          value={text}
          data={choices}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'list':
      return (
        <TagsInput {...shared} value={Array.isArray(value) ? (value as string[]) : []} onChange={onChange} />
      );
    case 'text':
      return (
        <TextInput {...shared} value={text} onChange={(event) => changeText(event.currentTarget.value)} />
      );
    case 'long text':
      return (
        <Textarea
          {...shared}
          size="xs"
          autosize
          maxRows={12}
          value={text}
          onChange={(event) => changeText(event.currentTarget.value)}
        />
      );
    case 'json':
      return <JsonInput path={path} shared={shared} value={value} onChange={onChange} unread={unread} />;
    case 'ratio':
      return (
        <div className={own.ratio}>
          <Slider
            size="sm"
            color="tide"
            label={null}
            thumbProps={{ 'aria-labelledby': `label-${path}` }}
            disabled={disabled}
            min={0}
            max={field.max ?? 1}
            step={0.01}
            value={Number(value)}
            onChange={(next) => onChange(Math.max(field.min ?? 0, next))}
          />
          <NumberField {...number} />
        </div>
      );
    case 'number':
      return <NumberField {...number} />;
  }
}
