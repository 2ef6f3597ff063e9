import type { Schemas } from '@spillway/client';
import table from '@/ui/lists/table.module.css';
import { InstructionRow } from './instruction-row';

interface Props {
  threadId: string;
  instructions: readonly Schemas['Instruction'][];
}

/** Instructions with their states, and the buttons that decide about each. */
export function InstructionTable({ threadId, instructions }: Props) {
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th>Instruction</th>
          <th>State</th>
          <th>Message</th>
          <th>Shown in generations</th>
          <th>Decide</th>
        </tr>
      </thead>
      <tbody>
        {instructions.map((one) => (
          <InstructionRow key={one.id} threadId={threadId} instruction={one} />
        ))}
      </tbody>
    </table>
  );
}
