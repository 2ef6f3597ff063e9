'use client';

import '@mantine/charts/styles.css';
import { Live } from '@/ui/frame/live';
import { Page } from '@/ui/page';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { Charts } from './charts/charts';
import { ConcernList } from './concern-list';
import { HealthStrip } from './health-strip';
import { Money } from './money/money';
import classes from './overview.module.css';
import { RangePicker } from './range-picker';
import { shownConcerns } from './shown-concerns';
import { Tiles } from './tiles';
import { useOverview, type FirstOverview } from './use-overview';

/** Health, open problems, and recent work and savings. */
export function OverviewView({ first }: { first: FirstOverview }) {
  const { range, usage, attention } = useOverview(first);
  const { concerns, health } = attention.data;
  return (
    <Page
      head={
        <div className={classes.title}>
          <h1>Overview</h1>
          <RangePicker range={range} />
          <Live failing={usage.isError || attention.isError} />
        </div>
      }
    >
      <div className={classes.page}>
        <HealthStrip health={health} problem={attention.isError ? problemOf(attention.error) : null} />
        <ConcernList
          concerns={shownConcerns({ concerns, health })}
          model={health.model}
          failing={attention.isError}
        />
        {usage.data ? (
          <div
            className={classes.usage}
            data-stale={usage.isPlaceholderData}
            aria-busy={usage.isPlaceholderData}
          >
            <Tiles usage={usage.data} range={range} />
            <Charts usage={usage.data} range={range} />
            <Money usage={usage.data} />
          </div>
        ) : usage.isError ? (
          <ProblemPanel problem={problemOf(usage.error)} onRetry={() => void usage.refetch()} />
        ) : (
          <RowsLoading rows={8} />
        )}
      </div>
    </Page>
  );
}
