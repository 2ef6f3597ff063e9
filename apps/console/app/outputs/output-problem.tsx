import { IconFileOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { NeedsScope } from '@/app/settings/needs-scope';
import { readCurrentSession } from '@/app/settings/read-current-session';
import { Empty } from '@/ui/messages/empty';
import { ProblemPanel } from '@/ui/messages/problem-panel';

interface Props {
  problem: Schemas['Problem'];
  token: string;
  /** The output that was asked for; null for the list. */
  id: string | null;
}

/** Why outputs are not shown, and where to go instead. */
export async function OutputProblem({ problem, token, id }: Props) {
  if (problem.status === 403) {
    const session = await readCurrentSession(token);
    if (session.ok)
      return <NeedsScope session={session.data} scope="outputs:read" what="Outputs" wholePage />;
  }
  // 422: not in the form of an id, so no output has it.
  if (id !== null && (problem.status === 404 || problem.status === 422))
    return (
      <Empty icon={IconFileOff} title="There is no such output" wholePage>
        <p>
          <code className="mono">{id}</code> does not exist in this project, or it was erased with its message
          or thread. The audit log shows who erased it.
        </p>
        <Link href="/outputs">All outputs</Link>
      </Empty>
    );
  return <ProblemPanel problem={problem} />;
}
