import { Button, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState, type FormEvent } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { problemOf } from '@/ui/messages/problem';
import { ProblemNote } from '@/ui/messages/problem-note';
import { count } from '@/ui/quantity';
import classes from '../settings.module.css';

type Typed = number | string;

const prices = [
  { key: 'input_price', label: 'Input price' },
  { key: 'cached_input_price', label: 'Cached input price' },
  { key: 'output_price', label: 'Output price' },
] as const;

interface Props {
  of: Schemas['Model'] | null;
  /** For a model that the registry lacks. */
  name?: string;
  onDone: () => void;
}

/** The complete override of a model: emptied fields are removed. */
export function OverrideForm({ of, name: given, onDone }: Props) {
  const [name, setName] = useState(of?.name ?? given ?? '');
  const [window, setWindow] = useState<Typed>(of?.source === 'override' ? of.context_window : '');
  const [price, setPrice] = useState<Record<string, Typed>>(() =>
    Object.fromEntries(prices.map(({ key }) => [key, of?.[key] ?? ''])),
  );
  const queries = useQueryClient();
  const values = {
    ...numberOf('context_window', window),
    ...prices.reduce((all, { key }) => ({ ...all, ...numberOf(key, price[key] ?? '') }), {}),
  };
  const override = useMutation({
    mutationFn: () => {
      const params = { path: { name: name.trim() } };
      return dataOf(browserApi.PUT('/v1/models/{name}', { params, body: values }));
    },
    onSuccess: (model) => {
      onDone();
      notifyDone('Saved', `${model.name} has ${count(model.context_window)} tokens from now on.`);
      return queries.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const problem = override.error ? problemOf(override.error) : null;
  const complaint = (key: string) => problem?.errors?.find(({ path }) => path === `/${key}`)?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    override.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {!of && (
          <TextInput
            label="Model"
            description="As threads name it."
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={complaint('name')}
            errorProps={{ role: 'alert' }}
            required
            spellCheck={false}
            data-autofocus
          />
        )}
        <NumberInput
          label="Context window"
          description={`Tokens the model accepts, input and output together. Each thread applies this at its next message.${of?.source === 'registry' ? ` Empty: ${count(of.context_window)}, as the registry says.` : ''}`}
          value={window}
          onChange={setWindow}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          error={complaint('context_window')}
          errorProps={{ role: 'alert' }}
          {...(of ? { 'data-autofocus': true } : {})}
        />
        {prices.map(({ key, label }) => (
          <NumberInput
            key={key}
            label={label}
            description="USD for a million tokens."
            value={price[key] ?? ''}
            onChange={(typed) => setPrice((now) => ({ ...now, [key]: typed }))}
            allowNegative={false}
            decimalScale={6}
            prefix="$"
            hideControls
            error={complaint(key)}
            errorProps={{ role: 'alert' }}
          />
        ))}
        {!problem?.errors?.length && <ProblemNote error={override.error} />}
      </Stack>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={override.isPending}
          disabled={name.trim() === '' || Object.keys(values).length === 0}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

const numberOf = (key: string, typed: Typed): Record<string, number> =>
  typed === '' ? {} : { [key]: Number(typed) };
