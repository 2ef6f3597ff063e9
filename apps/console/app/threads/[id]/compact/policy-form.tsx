'use client';

import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { lacksKeep, providers, type PolicyFields } from './policy-fields';
import classes from './compact.module.css';

interface Props {
  fields: PolicyFields;
  onChange: (changes: Partial<PolicyFields>) => void;
}

/** One-off changes of the policy. */
export function PolicyForm({ fields, onChange }: Props) {
  return (
    <div className={classes.form}>
      <NumberInput
        label="Compact from"
        suffix=" % of the window"
        placeholder="The thread’s own"
        min={0.01}
        max={90}
        decimalScale={2}
        value={fields.trigger}
        onChange={(value) => onChange({ trigger: value })}
      />
      <NativeSelect
        label="Keep verbatim"
        value={fields.keepBy}
        data={[
          { value: 'own', label: 'The thread’s own' },
          { value: 'share', label: 'A share of the window' },
          { value: 'turns', label: 'The newest turns' },
        ]}
        onChange={(event) =>
          onChange({
            keepBy: event.currentTarget.value as PolicyFields['keepBy'],
            keep: { own: '' as const, share: 10, turns: 3 }[
              event.currentTarget.value as PolicyFields['keepBy']
            ],
          })
        }
      />
      {fields.keepBy !== 'own' && (
        <NumberInput
          label={fields.keepBy === 'share' ? 'Share to keep' : 'Turns to keep'}
          suffix={fields.keepBy === 'share' ? ' % of the window' : ' turns'}
          min={0}
          max={fields.keepBy === 'share' ? 89 : 10_000}
          allowDecimal={fields.keepBy === 'share'}
          value={fields.keep}
          error={lacksKeep(fields) ? 'must be a number' : null}
          errorProps={{ role: 'alert' }}
          onChange={(value) => onChange({ keep: value })}
        />
      )}
      <NativeSelect
        label="Summary made by"
        value={fields.provider}
        data={[
          { value: '', label: 'The thread’s own' },
          ...providers.map((value) => ({
            value,
            label: value === 'extractive' ? 'Code, no model' : value,
          })),
        ]}
        onChange={(event) => onChange({ provider: event.currentTarget.value })}
      />
      {fields.provider !== 'extractive' && (
        <TextInput
          label="Model"
          placeholder="The thread’s own"
          maxLength={200}
          value={fields.model}
          onChange={(event) => onChange({ model: event.currentTarget.value })}
        />
      )}
      <NumberInput
        label="Longest summary"
        suffix=" tokens"
        placeholder="The thread’s own"
        min={64}
        max={100_000}
        allowDecimal={false}
        value={fields.maxTokens}
        onChange={(value) => onChange({ maxTokens: value })}
      />
    </div>
  );
}
