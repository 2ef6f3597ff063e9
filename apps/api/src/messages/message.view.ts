import type { ListedMessage } from '@spillway/service';
import { outputRef } from '../outputs/output.view.js';

/** A recorded message in API form. */
export const messageView = ({ row, format, body, outputs }: ListedMessage) => ({
  seq: row.seq,
  id: row.clientId,
  role: row.role,
  pinned: row.pinned,
  tokens: row.tokens,
  format,
  output: outputs[0] ? outputRef(outputs[0]) : null,
  outputs: outputs.map(outputRef),
  message: body,
  created_at: row.createdAt.toISOString(),
  sent_at: row.sentAt?.toISOString() ?? null,
  hold: row.hold as 'keep' | 'whole' | 'release' | null,
  erased_at: row.erasedAt?.toISOString() ?? null,
  rewound_before: row.rewoundBefore === 0 ? null : row.rewoundBefore,
});
