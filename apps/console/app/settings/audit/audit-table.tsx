import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { threadPath } from '@/app/threads/thread-path';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from '../settings.module.css';
import { actionWords } from './action-words';
import { actorWords } from './actor-words';
import { AuditDetail } from './audit-detail';
import own from './audit.module.css';

type Entry = Schemas['AuditEntry'];

export function AuditTable({ entries }: { entries: Entry[] }) {
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Audit log">
      <table className={`${table.table} ${own.table}`}>
        <thead>
          <tr>
            <th>When</th>
            <th>Who</th>
            <th>What</th>
            <th>Target</th>
            <th>Detail</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="dim">
                <TimeAgo at={entry.at} />
              </td>
              <td>
                <Actor entry={entry} />
              </td>
              <td title={entry.action}>{actionWords(entry.action, entry.target)}</td>
              <td className={own.target}>
                <Target entry={entry} />
              </td>
              <td className={own.detail}>
                <AuditDetail detail={entry.detail} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Actor({ entry: { actor, actor_name: name } }: { entry: Entry }) {
  const { who, by } = actorWords(actor, name);
  return (
    <span title={actor} className={name === null ? 'dim' : undefined}>
      {who}
      {by !== null && <span className="dim"> {by}</span>}
    </span>
  );
}

/** Ids link to their pages, if there are any. */
function Target({ entry: { action, target, thread_id } }: { entry: Entry }) {
  const href = hrefOf(action, target, thread_id);
  const text = <span className="mono">{thread_id ?? target}</span>;
  return (
    <>
      {href ? (
        <Link className="inline" href={href} prefetch={false}>
          {text}
        </Link>
      ) : (
        text
      )}
      {thread_id !== null && thread_id !== target && action === 'content.read' && (
        <span className={own.path}>{target}</span>
      )}
    </>
  );
}

function hrefOf(action: string, target: string, threadId: string | null): string | null {
  if (action === 'thread.erased') return null;
  if (threadId !== null) return threadPath(threadId);
  if (action.startsWith('key.')) return `/settings/keys#${target}`;
  if (action.startsWith('output.')) return `/outputs/${encodeURIComponent(target)}`;
  if (action === 'policy.changed') return '/settings/policy';
  if (action.startsWith('model.')) return `/settings/models?q=${encodeURIComponent(target)}`;
  const output = /^\/v1\/outputs\/([^/]+)/.exec(target)?.[1];
  return output === undefined ? null : `/outputs/${output}`;
}
