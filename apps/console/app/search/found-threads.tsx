import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { RoleChip } from '@/app/threads/[id]/messages/role-chip';
import { threadPath } from '@/app/threads/thread-path';
import { count, plural } from '@/ui/quantity';
import { MarkedWords } from '@/ui/text/marked-words';
import { aroundFirstWord } from '@/ui/text/search-words';
import { ShownText } from '@/ui/text/shown-text';
import { TimeAgo } from '@/ui/time-ago';
import classes from './search.module.css';

interface Props {
  found: readonly Schemas['FoundThread'][];
  q: string;
  words: readonly string[];
}

/** The threads that a search found, each with the messages that it was found by. */
export function FoundThreads({ found, q, words }: Props) {
  /** The thread with the same search open, at a message. */
  const at = (id: string, seq: number | null) => {
    const search = `q=${encodeURIComponent(q)}`;
    return `${threadPath(id, seq)}${seq === null ? '?' : '&'}${search}`;
  };
  return (
    <ol className={classes.found} aria-label="Threads">
      {found.map(({ id, model, last_seq: messages, updated_at: updated, hits, more }) => (
        <li key={id} className={classes.thread}>
          <h2 className={classes.head}>
            <Link href={at(id, null)} className="mono">
              {id}
            </Link>
            <span className={classes.facts}>
              {model !== null && (
                <>
                  <ShownText text={model} />
                  {' · '}
                </>
              )}
              {plural(messages, 'message')} · <TimeAgo at={updated} />
            </span>
          </h2>
          <ul className={classes.hits}>
            {hits.map(({ seq, role, participant, snippet }) => (
              <li key={seq}>
                <Link href={at(id, seq)} className={classes.hit}>
                  <span className={classes.where}>
                    <span className="num">{count(seq)}</span>
                    <RoleChip role={role} participant={participant ?? undefined} />
                  </span>
                  <span className={classes.snippet}>
                    <MarkedWords text={aroundFirstWord(snippet, words)} words={words} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          {more && (
            <Link href={at(id, null)} className={classes.more}>
              Search all of this thread
            </Link>
          )}
        </li>
      ))}
    </ol>
  );
}
