import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
  type Icon,
} from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { apiWords, knownParts, type KnownParts } from '@/app/known-parts';
import type { Problem } from '@/ui/messages/problem';
import { bytes, count, duration } from '@/ui/quantity';
import Link from 'next/link';
import { TimeAgo } from '@/ui/time-ago';
import type { ReactNode } from 'react';
import classes from './health.module.css';

type Health = Schemas['Attention']['health'];
type Tone = 'good' | 'warn' | 'bad' | 'unknown';

const shapes: Record<Tone, Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  unknown: IconHelpCircle,
};

const postgresWords: Record<Health['postgres'], string> = {
  ok: 'up',
  down: 'down',
  outdated: 'tables are too old: run the migrations',
};

const redisWords: Record<Health['redis'], string> = {
  ok: 'up',
  read_only: 'takes no writes: raise maxmemory, free its disk, or name the primary',
  down: 'down: workers poll Postgres instead',
  none: 'none: workers poll Postgres',
};

interface Props {
  /** As the API last answered. */
  health: Health;
  /** Of the last request for it; null: it succeeded. */
  problem: Problem | null;
}

/** The health of the components, by shape and text, not only by colour. */
export function HealthStrip({ health, problem }: Props) {
  const known = knownParts(problem);
  return (
    <ul className={classes.strip} aria-label="Health">
      <Part name="API" tone={known.api === 'up' ? 'good' : 'bad'}>
        {apiWords[known.api]}
      </Part>
      <PostgresPart known={known.postgres} health={health} />
      {known.othersAreKnown ? (
        <OtherParts health={health} />
      ) : (
        others.map((name) => (
          <Part key={name} name={name} tone="unknown">
            unknown
          </Part>
        ))
      )}
    </ul>
  );
}

const others = ['Redis', 'Summary model', 'Workers', 'Queue', 'Outputs'];

function PostgresPart({ known, health }: { known: KnownParts['postgres']; health: Health }) {
  if (known === 'unknown')
    return (
      <Part name="Postgres" tone="unknown">
        unknown
      </Part>
    );
  const state = known === 'down' ? 'down' : health.postgres;
  return (
    <Part name="Postgres" tone={state === 'ok' ? 'good' : 'bad'}>
      {postgresWords[state]}
    </Part>
  );
}

function OtherParts({ health }: { health: Health }) {
  const { oldest_due_ms: oldest, counts } = health;
  const late = oldest !== null && oldest > 60_000;
  return (
    <>
      <Part name="Redis" tone={health.redis === 'ok' || health.redis === 'none' ? 'good' : 'warn'}>
        {redisWords[health.redis]}
      </Part>
      <ModelPart model={health.model} />
      <Part name="Workers" tone={workersTone(health, late)}>
        {health.workers === null ? 'unknown without Redis' : `${count(health.workers)} connected`}
        {health.last_attempt_at && (
          <span className={classes.more}>
            last compaction <TimeAgo at={health.last_attempt_at} />
          </span>
        )}
      </Part>
      <Part name="Queue" tone={late ? 'bad' : 'good'}>
        {oldest === null ? 'empty' : `oldest waits ${duration(Math.max(0, oldest))}`}
        <span className={classes.more}>
          {count(counts.due)} due, {count(counts.running)} running
        </span>
      </Part>
      <StoragePart health={health} />
    </>
  );
}

/** The sweep keeps a project within its bytes by removing the oldest outputs, which an agent may still need. */
function StoragePart({ health }: { health: Health }) {
  const { output_bytes: held, max_bytes: most } = health.storage;
  const nearlyFull = held > 0.9 * most;
  if (health.outputs === 'down')
    return (
      <Part name="Outputs" tone="bad">
        the storage takes no writes
        <span className={classes.more}>appends with a large tool result are refused</span>
      </Part>
    );
  return (
    <Part name="Outputs" tone={nearlyFull ? 'warn' : 'good'}>
      <Link href="/outputs?sort=biggest" className="inline" prefetch={false}>
        {bytes(held)} of {bytes(most)}
      </Link>
      {nearlyFull && <span className={classes.more}>the oldest are removed above that</span>}
    </Part>
  );
}

function ModelPart({ model }: { model: Health['model'] }) {
  if (model === null)
    return (
      <Part name="Summary model" tone="good">
        none: summaries are extractive
      </Part>
    );
  const { state, failing_since: since, next_try_at: next, last_error: error } = model;
  if (state !== 'failing')
    return (
      <Part name="Summary model" tone={state === 'ok' ? 'good' : 'unknown'}>
        {state === 'ok' ? 'up' : 'not called within 7 days'}
      </Part>
    );
  return (
    <Part name="Summary model" tone="bad">
      <Link href="/jobs?tab=failed" className="inline" prefetch={false} title={error ?? undefined}>
        failing
      </Link>
      {since && (
        <span className={classes.more}>
          since <TimeAgo at={since} />
        </span>
      )}
      {next && (
        <span className={classes.more}>
          next try <TimeAgo at={next} />
        </span>
      )}
    </Part>
  );
}

function workersTone({ workers }: Health, late: boolean): Tone {
  if (workers === null) return late ? 'warn' : 'unknown';
  return workers === 0 ? 'bad' : 'good';
}

const tones: Record<Tone, string> = {
  good: 'well',
  warn: 'degraded',
  bad: 'not well',
  unknown: 'not known',
};

function Part({ name, tone, children }: { name: string; tone: Tone; children: ReactNode }) {
  const Shape = shapes[tone];
  return (
    <li className={classes.part} data-tone={tone}>
      <Shape size={15} stroke={1.9} role="img" aria-label={tones[tone]} className={classes.icon} />
      <span className={classes.name}>{name}</span>
      <span className={classes.says}>{children}</span>
    </li>
  );
}
