'use client';

import { NativeSelect } from '@mantine/core';
import { groups, type PolicyInput } from './policy-fields';
import own from './policy.module.css';
import { showValue } from './show-value';

interface Props {
  presets: Record<string, PolicyInput>;
  value: string;
  onChange: (preset: string) => void;
  disabled: boolean;
}

const systems: Record<string, string> = {
  dawn: 'As Dawn does by default: turns are kept, old ones are left out and not summarized.',
  chronos: 'As Chronos does by default: the newest turns stay, the rest is summarized, tokens are estimated.',
  agentscope: 'As AgentScope does by default: a share of the window stays, and what is covered is archived.',
};

/** Another system's defaults as this level's start, with each key that this sets. */
export function PresetPicker({ presets, value, onChange, disabled }: Props) {
  const chosen = presets[value];
  return (
    <div className={own.preset}>
      <NativeSelect
        label="Preset"
        description="Starts from the defaults of the system you come from; the keys you set below win over it."
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: 'None' },
          ...Object.keys(presets).map((name) => ({ value: name, label: name })),
        ]}
      />
      {chosen && (
        <div className={own.sets}>
          <p>{systems[value] ?? ''} It sets:</p>
          <ul>
            {groups.flatMap((group) =>
              Object.entries(chosen[group] ?? {}).map(([key, set]) => (
                <li key={`${group}.${key}`}>
                  <code>
                    {group}.{key}
                  </code>{' '}
                  {showValue(set)}
                </li>
              )),
            )}
          </ul>
        </div>
      )}
    </div>
  );
}
