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
  dawn: 'Like Dawn’s defaults: recent turns are kept, old ones are left out and not summarized.',
  chronos: 'Like Chronos’s defaults: the newest turns stay, the rest is summarized, tokens are estimated.',
  agentscope: 'Like AgentScope’s defaults: a share of the window stays, and covered messages are archived.',
};

/** Another system's defaults as this level's start, with each key that this sets. */
export function PresetPicker({ presets, value, onChange, disabled }: Props) {
  const chosen = presets[value];
  return (
    <div className={own.preset}>
      <NativeSelect
        label="Preset"
        description="Starts with the defaults of another system. Keys that you set below override them."
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
