import {
  IconArrowsMinimize,
  IconBrush,
  IconCircleCheck,
  IconMoodSmile,
  type Icon,
} from '@tabler/icons-react';
import { Empty } from '@/ui/empty';
import classes from './jobs.module.css';
import type { Tab } from './tabs';

const words: Record<Tab, { icon: Icon; title: string; text: string }> = {
  due: {
    icon: IconCircleCheck,
    title: 'All caught up',
    text: 'Threads that passed their trigger wait here, mostly for less than a second, until a worker takes them up.',
  },
  running: {
    icon: IconArrowsMinimize,
    title: 'No compaction is running',
    text: 'Threads that a worker is summarizing right now show here.',
  },
  backoff: {
    icon: IconCircleCheck,
    title: 'Nothing backs off',
    text: 'Threads whose last attempt failed wait here for the next one, with the error they ran into.',
  },
  parked: {
    icon: IconMoodSmile,
    title: 'Nothing is parked',
    text: 'Threads that can not be compacted without a person show here, with the reason and what to do.',
  },
  done: {
    icon: IconArrowsMinimize,
    title: 'Nothing was compacted yet',
    text: 'Compactions that succeeded show here, newest first, with what they took and cost.',
  },
  failed: {
    icon: IconMoodSmile,
    title: 'No attempt failed',
    text: 'Attempts that failed, were parked or were lost with their worker show here, with their errors.',
  },
  sweeps: {
    icon: IconBrush,
    title: 'No sweep has deleted anything yet',
    text: 'Outputs are swept when they expire or when the project holds more than its budget; what that freed shows here.',
  },
};

/** Says what would be here. */
export function EmptyTab({ tab, filtered }: { tab: Tab; filtered: boolean }) {
  const { icon, title, text } = words[tab];
  return (
    <div className={classes.empty}>
      <Empty icon={icon} title={filtered ? 'No thread is parked for this reason any more' : title}>
        {text}
      </Empty>
    </div>
  );
}
