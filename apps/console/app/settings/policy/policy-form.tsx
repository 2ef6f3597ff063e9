'use client';

import { FieldRow } from './fields/field-row';
import { isSet, valueAt, withoutValue, withPreset, withValue } from './policy-draft';
import { groups, type Group, type PolicyField, type PolicyInput } from './policy-fields';
import own from './policy.module.css';
import { PresetPicker } from './preset-picker';
import type { Editing } from './use-policy';

interface Props {
  fields: PolicyField[];
  presets: Record<string, PolicyInput>;
  editing: Editing;
  disabled: boolean;
}

const titles: Record<Group, { title: string; about: string }> = {
  context: { title: 'Context', about: 'What a context may use, and when it is compacted.' },
  summary: { title: 'Summary', about: 'The summary that replaces compacted messages.' },
  outputs: { title: 'Outputs', about: 'Tool results that are stored outside the context.' },
  chat: {
    title: 'Model calls',
    about: 'What agents may spend on models, through /chat and the proxies.',
  },
};

export function PolicyForm({ fields, presets, editing, disabled }: Props) {
  const { draft, meant, edit, problems, unread } = editing;
  return (
    <div className={own.form}>
      <PresetPicker
        presets={presets}
        value={draft.preset ?? ''}
        onChange={(preset) => edit(withPreset(draft, preset))}
        disabled={disabled}
      />
      {problems[''] !== undefined && (
        <p role="alert" className={own.problem}>
          {problems['']}
        </p>
      )}
      {groups.map((group) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`} className={own.group}>
            {titles[group].title} <span className="dim">{titles[group].about}</span>
          </h2>
          {fields
            .filter((field) => field.group === group)
            .map((field) => (
              <FieldRow
                key={field.path}
                field={field}
                value={
                  isSet(draft, field.path) ? valueAt(draft, field.path) : valueAt(meant.effective, field.path)
                }
                source={meant.sources[field.path] ?? 'default'}
                isSet={isSet(draft, field.path)}
                problem={problems[field.path]}
                disabled={disabled}
                onChange={(value) => edit(withValue(draft, field.path, value))}
                unread={unread}
                onReset={() => edit(withoutValue(draft, field.path))}
              />
            ))}
        </section>
      ))}
    </div>
  );
}
