'use client';

import { Textarea } from '@mantine/core';
import { Copy } from '@/ui/copy';
import { readObject } from './json/read-object';
import { textOf } from './policy-draft';
import own from './policy.module.css';
import { useFieldText } from './use-unread';
import type { Editing } from './use-policy';

/** The keys of this level as JSON: to edit, to paste, to copy into a file. */
export function RawPolicy({ editing, disabled }: { editing: Editing; disabled: boolean }) {
  const { draft, edit, problems, unread } = editing;
  // The draft may also change by discarding, saving, or loading somebody else's.
  const [text, setText] = useFieldText<string>(unread, { path: '', value: draft, shown, means, fault });
  const type = (next: string) => {
    setText(next);
    const read = parse(next);
    if (read.ok) edit(read.value);
  };
  const problem = fault(text) ?? Object.entries(problems).map(([path, message]) => `${path} ${message}`)[0];
  return (
    <div className={own.raw}>
      <div>
        <span className="dim">Only the keys that this level sets.</span>
        <Copy text={text} label="Copy the policy" />
      </div>
      <Textarea
        aria-label="Policy as JSON"
        autosize
        minRows={14}
        maxRows={40}
        spellCheck={false}
        disabled={disabled}
        value={text}
        error={problem}
        errorProps={{ role: 'alert' }}
        onChange={(event) => type(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </div>
  );
}

const shown = (policy: unknown): string => JSON.stringify(policy, null, 2);

/** An empty text is a policy without keys. */
const parse = (text: string) => readObject(text.trim() === '' ? '{}' : text);

const means = (text: string, policy: unknown): boolean => {
  const read = parse(text);
  return read.ok && textOf(read.value) === textOf(policy);
};

const fault = (text: string): string | null => {
  const read = parse(text);
  return read.ok ? null : read.why;
};
