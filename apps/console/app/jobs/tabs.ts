/** The tabs of the jobs page, by query parameter. */
export const tabs = ['due', 'running', 'backoff', 'parked', 'done', 'failed', 'sweeps'] as const;
export type Tab = (typeof tabs)[number];

export const tabNames: Record<Tab, string> = {
  due: 'Due',
  running: 'Running',
  backoff: 'Retrying',
  parked: 'Parked',
  done: 'Done',
  failed: 'Failed',
  sweeps: 'Sweeps',
};

/** Tabs that list threads by their state. */
export const threadTabs = ['due', 'running', 'backoff', 'parked'] as const;
export type ThreadTab = (typeof threadTabs)[number];

export const isThreadTab = (tab: Tab): tab is ThreadTab => threadTabs.some((known) => known === tab);

/** The default tab: parked threads if there are any, then other pending work. */
export function tabOf(asked: string | null, counts: Record<ThreadTab, number>): Tab {
  const named = tabs.find((tab) => tab === asked);
  if (named) return named;
  return (['parked', 'backoff', 'running', 'due'] as const).find((state) => counts[state] > 0) ?? 'due';
}

/** The API's filter for a tab of attempts. */
export const outcomeOf = (tab: 'done' | 'failed') => (tab === 'done' ? 'compacted' : 'unsuccessful');
