'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Live, liveMs } from '@/ui/frame/live';
import { count, duration } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import table from '@/ui/lists/table.module.css';
import classes from '../settings.module.css';
import own from './system.module.css';

type System = Schemas['System'];

/** The components of the service, their health and configuration. */
export function SystemView({ first }: { first: System }) {
  const system = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/system', { signal })),
    initialData: first,
    refetchInterval: liveMs,
  });
  const { readiness, versions, model, settings } = system.data;
  return (
    <div className={classes.section}>
      <p className={classes.lead}>
        <b>
          Only calls to the configured models leave this host
          {model === null ? ', and none is configured' : ''}.
        </b>{' '}
        Beside them, Spillway talks to the database, the cache and the storage below and to the webhooks you
        set up. There is no telemetry.
      </p>
      <div className={own.title}>
        <h2 className={classes.heading}>Parts</h2>
        <Live failing={system.isError} />
      </div>
      <dl className={own.parts}>
        <Part name="Postgres" ok={readiness.postgres === 'ok'} word={readiness.postgres}>
          {versions.postgres ?? 'version unknown'}
          {readiness.postgres === 'outdated' && '. Its tables are older than the API: run the migrations.'}
        </Part>
        <Part name="Redis" ok={readiness.redis === 'ok'} word={readiness.redis.replace('_', '-')}>
          {readiness.redis === 'ok' ? 'carries hints' : 'workers poll Postgres'}
          {readiness.redis === 'read_only' &&
            '. It takes no writes: raise maxmemory, free its disk, or name the primary.'}
        </Part>
        <Part name="API" ok={!system.isError} word={system.isError ? 'no answer' : 'ok'}>
          Spillway {versions.spillway}, Node {versions.node}
        </Part>
        <Part
          name="Summary model"
          ok={model?.health.state !== 'failing'}
          word={model === null ? 'none' : modelStates[model.health.state]}
        >
          {modelWords(model)}
          {model?.health.state === 'failing' && (
            <>
              . {model.health.last_error?.replace(/[.\s]*$/, '.')}{' '}
              {model.health.failing_since && (
                <>
                  Failing since <TimeAgo at={model.health.failing_since} />.{' '}
                </>
              )}
              <Link href="/jobs?tab=failed" className="inline" prefetch={false}>
                View attempts
              </Link>
            </>
          )}
        </Part>
      </dl>
      <h2 className={classes.heading}>Set up with</h2>
      <p className={classes.lead}>
        Environment of the API process as it applies. Passwords, keys and parameters of addresses are left
        out.
      </p>
      <div className={classes.sideways} tabIndex={0} role="group" aria-label="Environment">
        <table className={`${table.table} ${own.settings}`}>
          <thead>
            <tr>
              <th>Variable</th>
              <th>Value</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(settings).map(([name, value]) => (
              <tr key={name}>
                <td className="mono">{name}</td>
                <td>
                  <span className="mono">{value ?? 'not set'}</span>{' '}
                  <span className="dim">{meant(name, value)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const modelStates = { ok: 'up', failing: 'failing', unknown: 'configured' };

const modelWords = (model: System['model']): string =>
  model === null
    ? 'code makes summaries'
    : `${model.provider}, ${model.name ?? 'no model named'}, ${model.base_url ?? 'the provider’s address'}${model.has_key ? '' : ', no key'}`;

const meant = (name: string, value: string | number | null): string => {
  if (typeof value !== 'number') return '';
  if (name.endsWith('_MS')) return duration(value);
  return name.endsWith('_POOL') ? `${count(value)} connections` : '';
};

interface PartProps {
  name: string;
  ok: boolean;
  word: string;
  children: React.ReactNode;
}

const Part = ({ name, ok, word, children }: PartProps) => (
  <div className={own.part} data-ok={ok}>
    <dt>{name}</dt>
    <dd>
      <span className={classes.chip} data-tone={ok ? 'good' : 'bad'}>
        {word}
      </span>
    </dd>
    <dd className={own.note}>{children}</dd>
  </div>
);
