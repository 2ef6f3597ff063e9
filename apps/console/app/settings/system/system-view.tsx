'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { apiWords, knownParts, type KnownParts } from '@/app/known-parts';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Live } from '@/ui/frame/live';
import { liveMs } from '@/ui/live/live-ms';
import { arrivedAt } from '@/ui/lists/arrived-at';
import { problemOf } from '@/ui/messages/problem';
import { count, duration } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import table from '@/ui/lists/table.module.css';
import classes from '../settings.module.css';
import { outboundOf, type OutboundSources } from './outbound';
import own from './system.module.css';

type System = Schemas['System'];

interface Props extends Pick<OutboundSources, 'upstreams' | 'webhooks'> {
  first: System;
}

/** The components of the service, their health and configuration, and what leaves the host. */
export function SystemView({ first, upstreams, webhooks }: Props) {
  const system = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/system', { signal })),
    initialData: first,
    initialDataUpdatedAt: arrivedAt(first),
    refetchInterval: liveMs,
  });
  const { readiness, versions, model, settings } = system.data;
  const known = knownParts(system.isError ? problemOf(system.error) : null);
  return (
    <div className={classes.section}>
      <div className={own.title}>
        <h2 className={classes.heading}>Parts</h2>
        <Live failing={system.isError} />
      </div>
      <dl className={own.parts}>
        <PostgresPart known={known.postgres} readiness={readiness} version={versions.postgres} />
        {known.othersAreKnown ? <RedisPart redis={readiness.redis} /> : <UnknownPart name="Redis" />}
        {known.othersAreKnown ? (
          <StoragePart outputs={readiness.outputs} />
        ) : (
          <UnknownPart name="Output storage" />
        )}
        <Part name="API" ok={known.api === 'up'} word={known.api === 'up' ? 'ok' : apiWords[known.api]}>
          Spillway {versions.spillway}, Node {versions.node}
        </Part>
        {known.othersAreKnown ? <ModelPart model={model} /> : <UnknownPart name="Summary model" />}
      </dl>
      <h2 className={classes.heading}>What leaves this host</h2>
      <p className={classes.lead}>
        There is no telemetry: nothing is sent to the authors of Spillway. Beside what is listed here,
        Spillway talks to its database, its cache and its storage, at the addresses below.
      </p>
      <dl className={own.outbound} aria-label="What leaves this host">
        {outboundOf({ model, settings, upstreams, webhooks }).map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
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

interface PostgresProps {
  known: KnownParts['postgres'];
  readiness: System['readiness'];
  version: string | null;
}

function PostgresPart({ known, readiness, version }: PostgresProps) {
  if (known === 'unknown') return <UnknownPart name="Postgres" />;
  const state = known === 'down' ? 'down' : readiness.postgres;
  return (
    <Part name="Postgres" ok={state === 'ok'} word={state}>
      {version ?? 'version unknown'}
      {state === 'outdated' && '. Its tables are older than the API: run the migrations.'}
    </Part>
  );
}

const RedisPart = ({ redis }: { redis: System['readiness']['redis'] }) => (
  <Part name="Redis" ok={redis === 'ok' || redis === 'none'} word={redis.replace('_', '-')}>
    {redis === 'ok' ? 'carries hints' : 'workers poll Postgres'}
    {redis === 'read_only' && '. It takes no writes: raise maxmemory, free its disk, or name the primary.'}
  </Part>
);

const StoragePart = ({ outputs }: { outputs: System['readiness']['outputs'] }) => (
  <Part name="Output storage" ok={outputs === 'ok'} word={outputs}>
    {outputs === 'ok'
      ? 'takes writes'
      : 'Appends with a large tool result are refused. The log of the API has the error.'}
  </Part>
);

const ModelPart = ({ model }: { model: System['model'] }) => (
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
);

const UnknownPart = ({ name }: { name: string }) => (
  <Part name={name} ok={null} word="unknown">
    since the last request failed
  </Part>
);

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
  /** Null: not known. */
  ok: boolean | null;
  word: string;
  children: React.ReactNode;
}

const Part = ({ name, ok, word, children }: PartProps) => (
  <div className={own.part} data-ok={ok ?? undefined}>
    <dt>{name}</dt>
    <dd>
      <span className={classes.chip} data-tone={ok === null ? undefined : ok ? 'good' : 'bad'}>
        {word}
      </span>
    </dd>
    <dd className={own.note}>{children}</dd>
  </div>
);
