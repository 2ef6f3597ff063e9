import { IconFileOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { PageProblem } from '@/app/page-problem';
import { Empty } from '@/ui/messages/empty';

interface Props {
  problem: Schemas['Problem'];
  token: string;
  /** The output that was asked for; null for the list. */
  id: string | null;
}

/** Why outputs are not shown, and where to go instead. */
export function OutputProblem({ problem, token, id }: Props) {
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
  return <PageProblem problem={problem} token={token} scope="outputs:read" what="Outputs" />;
}
