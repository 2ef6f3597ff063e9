import type { Schemas } from '@spillway/client';
import { describe, expect, it } from 'vitest';
import { Checks } from './checks.js';
import { checkContext, type Sent } from './context-checks.js';

type Context = Schemas['Context'];

const posted = [
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
];
const context = (changes: Partial<Context> = {}): Context => ({
  format: 'openai',
  messages: posted,
  system: null,
  tokens: { total: 10, system: 3, summary: 0, recent: 7 },
  budget: { context_window: 200, limit: 100, trigger: 90 },
  summary: null,
  elided: [],
  parts: [],
  dropped: [],
  degraded: false,
  pending_calls: [],
  reasoning: { kept: 0, stripped: 0, why: [] },
  last_seq: 2,
  served: null,
  fingerprint: 'x',
  ...changes,
});
const failures = (sent: Context, before: Context | null = null, changes: Partial<Sent> = {}): string => {
  const checks = new Checks();
  checkContext(checks, 'here', { context: sent, posted, anythingOffloaded: false, ...changes }, before);
  expect(checks.failed).toBe(checks.lines().some((line) => line.includes('FAILED')));
  return checks
    .lines()
    .filter((line) => !line.includes('✓'))
    .join('\n');
};

describe('the demo notices', () => {
  const other = [{ role: 'user', content: 'other' }];

  it('nothing when all is well', () => {
    expect(failures(context(), context({ messages: posted.slice(0, 1) }))).toBe('');
  });

  it('a context over its budget', () => {
    expect(failures(context({ tokens: { total: 101, system: 0, summary: 0, recent: 101 } }))).toContain(
      '101 tokens, limit 100',
    );
  });

  it('a message that changed on the way', () => {
    expect(failures(context({ messages: other }))).toContain('differs at message 0');
  });

  it('no change where Spillway says that it left something out, or where a summary or a stub stands', () => {
    expect(failures(context({ messages: other, degraded: true }))).toBe('');
    expect(failures(context({ messages: other }), null, { anythingOffloaded: true })).toBe('');
  });

  it('a context that does not begin with the one before, unless a compaction came between', () => {
    const summary = { generation: 1, from_seq: 1, to_seq: 1, method: 'extractive' as const };
    const before = context({ messages: other });
    expect(failures(context(), before)).toContain('between compactions');
    expect(failures(context({ summary }), before)).toBe('');
  });

  it('a tool result away from its call', () => {
    const messages = [{ role: 'tool', tool_call_id: 'a', content: '' }];
    expect(failures(context({ messages, degraded: true }))).toContain('does not directly follow its call');
  });
});
