import type { Schemas } from '@spillway/client';
import { IconPinFilled } from '@tabler/icons-react';
import Link from 'next/link';
import { threadPath } from '@/app/threads/thread-path';
import { QueryLink } from '@/ui/lists/query-link';
import { bytes, count } from '@/ui/quantity';
import { ShownText } from '@/ui/text/shown-text';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from './outputs.module.css';

export function OutputRows({ outputs }: { outputs: Schemas['Output'][] }) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Output</th>
          <th>Tool</th>
          <th className={classes.wide}>Kind</th>
          <th className={classes.thread}>Thread and message</th>
          <th className={table.right}>Size</th>
          <th className={`${table.right} ${classes.wide}`}>Lines</th>
          <th className={`${table.right} ${classes.wide}`}>Tokens</th>
          <th className={classes.wide}>Stored</th>
          <th>Expires</th>
        </tr>
      </thead>
      <tbody>
        {outputs.map((output) => (
          <Row key={output.id} output={output} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ output }: { output: Schemas['Output'] }) {
  return (
    <tr>
      <td>
        <Link href={`/outputs/${output.id}`} prefetch={false} className="mono" title={output.id}>
          {output.id.slice(0, 8)}…{output.id.slice(-6)}
        </Link>
      </td>
      <td className={`mono ${classes.tool}`}>
        {output.tool ? (
          <QueryLink changes={{ tool: output.tool }}>
            <ShownText text={output.tool} />
          </QueryLink>
        ) : (
          '—'
        )}
      </td>
      <td className={classes.wide}>{output.kind}</td>
      <td className={classes.thread}>
        <Link
          href={threadPath(output.thread_id, output.seq)}
          prefetch={false}
          className="mono"
          title={output.thread_id}
        >
          {output.thread_id}
          {output.seq !== null && `#${output.seq}`}
        </Link>
      </td>
      <td className={`num ${table.right}`} title={`${count(output.bytes)} bytes`}>
        {bytes(output.bytes)}
      </td>
      <td className={`num ${table.right} ${classes.wide}`}>{count(output.lines)}</td>
      <td className={`num ${table.right} ${classes.wide}`}>{count(output.tokens)}</td>
      <td className={`dim ${classes.wide}`}>
        <TimeAgo at={output.created_at} />
      </td>
      <td className="dim">
        <Expiry output={output} />
      </td>
    </tr>
  );
}

function Expiry({ output }: { output: Schemas['Output'] }) {
  if (output.state !== 'ready') return <span className={classes.gone}>{output.state}</span>;
  if (output.pinned) {
    return (
      <span className={classes.pinned}>
        <IconPinFilled size={12} aria-hidden /> pinned
      </span>
    );
  }
  return output.expires_at ? <TimeAgo at={output.expires_at} /> : <>never</>;
}
