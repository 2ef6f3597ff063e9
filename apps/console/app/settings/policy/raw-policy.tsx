'use client';

import { Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Copy } from '@/ui/copy';
import { textOf } from './policy-draft';
import type { PolicyInput } from './policy-fields';
import own from './policy.module.css';
import { useMarkUnread } from './use-unread';
import type { Editing } from './use-policy';

const shown = (policy: PolicyInput) => JSON.stringify(policy, null, 2);

/** The keys of this level as JSON: to edit, to paste, to copy into a file. */
export function RawPolicy({ editing, disabled }: { editing: Editing; disabled: boolean }) {
  const { draft, edit, problems, markUnread } = editing;
  const [text, setText] = useState(shown(draft));
  // The draft may also change by discarding, saving, or loading somebody else's.
  useEffect(() => {
    setText((old) => (sameAs(old, draft) ? old : shown(draft)));
  }, [draft]);
  const type = (next: string) => {
    setText(next);
    const parsed = parse(next);
    if (parsed.ok) edit(parsed.policy);
  };
  const read = parse(text);
  const wrong = read.ok ? null : read.why;
  useMarkUnread(markUnread, '', wrong);
  const problem = wrong ?? Object.entries(problems).map(([path, message]) => `${path} ${message}`)[0];
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

function parse(text: string): { ok: true; policy: PolicyInput } | { ok: false; why: string } {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, policy: value };
    return { ok: false, why: 'must be a JSON object' };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : 'is no JSON' };
  }
}

function sameAs(text: string, policy: PolicyInput): boolean {
  const parsed = parse(text);
  return parsed.ok && textOf(parsed.policy) === textOf(policy);
}
