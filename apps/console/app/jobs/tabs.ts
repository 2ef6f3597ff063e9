/** The tabs of the jobs page, by query parameter. */
export const tabs = ['due', 'running', 'backoff', 'proposed', 'parked', 'done', 'failed', 'sweeps'] as const;
export type Tab = (typeof tabs)[number];

export const tabNames: Record<Tab, string> = {
  due: 'Due',
  running: 'Running',
  backoff: 'Retrying',
  proposed: 'To approve',
  parked: 'Parked',
  done: 'Done',
  failed: 'Failed',
  sweeps: 'Sweeps',
};

/** Tabs that list threads by their state. */
export const threadTabs = ['due', 'running', 'backoff', 'proposed', 'parked'] as const;
export type ThreadTab = (typeof threadTabs)[number];

export const isThreadTab = (tab: Tab): tab is ThreadTab => threadTabs.some((known) => known === tab);

/** The default tab: threads that need a person if there are any, then other pending work. */
export function tabOf(asked: string | null, counts: Record<ThreadTab, number>): Tab {
  const named = tabs.find((tab) => tab === asked);
  if (named) return named;
  const order = ['parked', 'proposed', 'backoff', 'running', 'due'] as const;
  return order.find((state) => counts[state] > 0) ?? 'due';
}

/** The API's filter for a tab of attempts. */
export const outcomeOf = (tab: 'done' | 'failed') => (tab === 'done' ? 'compacted' : 'unsuccessful');
