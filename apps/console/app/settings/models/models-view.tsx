'use client';

import { Button, Switch, TextInput } from '@mantine/core';
import { IconSearch, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Empty } from '@/ui/messages/empty';
import { plural } from '@/ui/quantity';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { useQueryString } from '@/ui/lists/query-string';
import { useTyped } from '@/ui/lists/use-typed';
import classes from '../settings.module.css';
import { isOverridden, ModelTable } from './model-table';
import { OverrideModel } from './override-model';

interface Props {
  first: Schemas['ModelList'];
  mayChange: boolean;
}

/** Known windows, and the project's overrides and prices. */
export function ModelsView({ first, mayChange }: Props) {
  const [params, change] = useQueryString();
  const [typed, type] = useTyped(params.get('q') ?? '', (q) => change({ q }));
  const q = typed.trim();
  const onlyOwn = params.get('overrides') === 'only';
  const only = params.get('only')?.split(',').filter(Boolean) ?? [];
  const models = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/models', { signal })),
    initialData: first,
    initialDataUpdatedAt: arrivedAt(first),
  });
  const shown = models.data.data.filter(
    (model) =>
      model.name.toLowerCase().includes(q.toLowerCase()) &&
      (!onlyOwn || isOverridden(model)) &&
      (only.length === 0 || only.includes(model.name)),
  );
  const known = new Set(models.data.data.map(({ name }) => name));
  const unknown = only.filter((name) => !known.has(name));
  return (
    <div className={classes.section}>
      <p className={classes.lead}>
        A thread’s budget follows from its model’s context window. A name is found without its provider and
        without a date. Unknown models default to 8,192 tokens. Prices are in USD for a million tokens; what
        summaries cost and what was saved is known for models with a price, from the day it is set.{' '}
        {!mayChange && 'Changing one takes an admin key.'}
      </p>
      <div className={`${classes.toolbar} ${classes.oneLine}`}>
        <TextInput
          aria-label="Search models by name"
          placeholder="Search by name"
          w={260}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          leftSection={<IconSearch size={14} aria-hidden />}
          spellCheck={false}
        />
        <Switch
          label="Set here only"
          checked={onlyOwn}
          onChange={(event) => change({ overrides: event.currentTarget.checked ? 'only' : null })}
        />
        <span className="dim" role="status">
          {plural(shown.length, 'model')}
        </span>
        {only.length > 0 && (
          <Button variant="default" onClick={() => change({ only: null })}>
            Show all models
          </Button>
        )}
        {mayChange && (
          <div className={classes.push}>
            <OverrideModel of={null} />
          </div>
        )}
      </div>
      {unknown.length > 0 && (
        <div className={classes.lead}>
          <p>Not in the registry: give {unknown.length === 1 ? 'it' : 'each'} a window and a price.</p>
          {mayChange && (
            <span className={classes.chips}>
              {unknown.map((name) => (
                <OverrideModel key={name} of={null} name={name} />
              ))}
            </span>
          )}
        </div>
      )}
      {shown.length === 0 && unknown.length > 0 ? null : shown.length === 0 ? (
        <Empty
          icon={IconSearchOff}
          title={onlyOwn && q === '' ? 'No model has a window or price of its own' : 'No model matches'}
        >
          Set a window for a model that the registry lacks, or a price to see the cost of its summaries.
        </Empty>
      ) : (
        <ModelTable models={shown} mayChange={mayChange} />
      )}
    </div>
  );
}
