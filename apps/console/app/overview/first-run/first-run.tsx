'use client';

import { Button } from '@mantine/core';
import { IconArrowRight, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { threadPath } from '@/app/threads/thread-path';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Page } from '@/ui/page';
import { plural } from '@/ui/quantity';
import { CurlStep } from './curl-step';
import classes from './first-run.module.css';
import { LoadSamples } from './load-samples';
import { Step } from './step';

const pollMs = 2_000;

const isSample = ({ metadata, last_seq }: Schemas['ThreadListed']): boolean =>
  metadata.source === 'sample' && last_seq > 0;

/** Shown before the first thread: how to record one, or sample threads to explore. */
export function FirstRun({ apiUrl }: { apiUrl: string }) {
  const threads = useQuery({
    queryKey: ['first-threads'],
    queryFn: ({ signal }) =>
      dataOf(browserApi.GET('/v1/threads', { params: { query: { sort: 'created', limit: 20 } }, signal })),
    refetchInterval: pollMs,
  });
  const all = threads.data?.data ?? [];
  const own = all.find((thread) => !isSample(thread) && thread.last_seq > 0);
  return (
    <Page
      head={
        <div className={classes.title}>
          <h1>Overview</h1>
          {all.length > 0 && (
            // A full navigation, so that the server sees the new threads.
            <Button component="a" href="/" rightSection={<IconArrowRight size={14} aria-hidden />}>
              Open the overview
            </Button>
          )}
        </div>
      }
    >
      <div className={classes.page}>
        <h2 className={classes.lead}>
          {all.length === 0 ? 'Nothing is recorded yet' : 'Spillway is at work'}
        </h2>
        <p className={classes.what}>
          Spillway records your agent’s messages, compacts them before the model’s window is full, and returns
          the context to send. Try it in three steps:
        </p>
        <ol className={classes.steps}>
          <Step number={1} title="Record a message">
            <CurlStep apiUrl={apiUrl} />
          </Step>
          <Step
            number={2}
            title={own ? 'Your first message is here' : 'Waiting for your first message…'}
            done={own !== undefined}
          >
            <p role="status" className={classes.wait}>
              {own ? (
                <>
                  <IconCircleCheck size={16} aria-hidden className={classes.good} />
                  <span>
                    {plural(own.last_seq, 'message')} in{' '}
                    <Link href={threadPath(own.id)} className="mono inline">
                      {own.id}
                    </Link>
                  </span>
                </>
              ) : (
                <>
                  <IconLoader2 size={16} aria-hidden className={classes.turning} />
                  {threads.isError
                    ? 'The API does not answer. Retrying.'
                    : 'This step completes when the message arrives.'}
                </>
              )}
            </p>
          </Step>
          <Step number={3} title="Or explore sample threads" done={all.some(isSample)}>
            <LoadSamples threads={all} />
          </Step>
        </ol>
      </div>
    </Page>
  );
}
