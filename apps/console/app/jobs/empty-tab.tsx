import {
  IconArrowsMinimize,
  IconBrush,
  IconCircleCheck,
  IconMoodSmile,
  type Icon,
} from '@tabler/icons-react';
import { Empty } from '@/ui/messages/empty';
import classes from './jobs.module.css';
import type { Tab } from './tabs';

const words: Record<Tab, { icon: Icon; title: string; text: string }> = {
  due: {
    icon: IconCircleCheck,
    title: 'All caught up',
    text: 'Threads over their trigger wait here until a worker claims them, mostly for less than a second.',
  },
  running: {
    icon: IconArrowsMinimize,
    title: 'No compaction is running',
    text: 'Threads that a worker is summarizing now.',
  },
  backoff: {
    icon: IconCircleCheck,
    title: 'No thread is retrying',
    text: 'Threads whose last attempt failed, with the error and the time of the next try.',
  },
  proposed: {
    icon: IconCircleCheck,
    title: 'No summary waits for an approval',
    text: 'Threads whose policy has summary.apply: on_approval, with the summary that a person approves or rejects.',
  },
  parked: {
    icon: IconMoodSmile,
    title: 'No thread is parked',
    text: 'Threads whose compaction stopped and needs action, with the reason and what to do.',
  },
  done: {
    icon: IconArrowsMinimize,
    title: 'No compactions yet',
    text: 'Compactions that succeeded, newest first, with their duration and cost.',
  },
  failed: {
    icon: IconMoodSmile,
    title: 'No attempt failed',
    text: 'Attempts that failed, parked their thread or were lost with their worker, grouped by error.',
  },
  sweeps: {
    icon: IconBrush,
    title: 'No sweeps yet',
    text: 'A sweep deletes outputs that have expired or exceed the budget of the project.',
  },
};

/** Describes the content of an empty tab. */
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
