'use client';

import { IconBraces } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { count } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import { OutputLink } from '../output-link';
import { ClipText } from '../messages/content/clip-text';
import { JsonTree } from '../messages/content/json-tree';
import { contentOf } from '../messages/content/message-content';
import row from '../messages/message-row.module.css';
import { RoleChip } from '../messages/role-chip';
import { ToolCallCard } from '../messages/content/tool-call-card';
import classes from './context.module.css';
import { KindChip } from './kind-chip';
import { outputsOf, whyItIsIn } from './why-it-is-in';

type Context = Schemas['Context'];

interface Props {
  index: number;
  message: Record<string, unknown>;
  part: Context['parts'][number] | undefined;
  context: Context;
}

/** One message as it is sent. */
export function SentMessage({ index, message, part, context }: Props) {
  const [raw, setRaw] = useState(false);
  const content = contentOf(message);
  const seq = part?.seq ?? null;
  return (
    <article className={classes.sent} data-kind={part?.kind}>
      <div className={classes.sentHead}>
        <RoleChip role={roleOf(message)} />
        {part && <KindChip kind={part.kind} />}
        {seq !== null && (
          <QueryLink
            changes={{ tab: null, at: null, with: null, part: null, seq: String(seq) }}
            className="num"
          >
            message {count(seq)}
          </QueryLink>
        )}
        {part && <span>{whyItIsIn(part, context)}</span>}
        {outputsOf(content.text).map((id) => (
          <OutputLink key={id} outputId={id}>
            stub of {id.slice(0, 10)}…
          </OutputLink>
        ))}
        {part && <span className={`num ${classes.sentTokens}`}>{count(part.tokens)} tok</span>}
        <button
          type="button"
          className={row.action}
          aria-label={`JSON of what is sent at place ${index + 1}`}
          title="JSON as sent"
          aria-expanded={raw}
          onClick={() => setRaw(!raw)}
        >
          <IconBraces size={14} aria-hidden />
        </button>
      </div>
      {content.text !== '' && (
        <ClipText
          id={`c${seq ?? `i${index}`}`}
          text={content.text}
          mono={content.answers.length > 0}
          format={content.answers.length > 0}
          lines={12}
        />
      )}
      {content.otherParts.map((type, i) => (
        <p key={i} className={classes.fine}>
          {type.replaceAll('_', ' ')}: sent to the model, not shown here
        </p>
      ))}
      {content.toolCalls.map((call) => (
        <ToolCallCard key={call.id} call={call} />
      ))}
      {raw && <JsonTree value={message} label="As sent" />}
    </article>
  );
}

/** Items of the Responses format have a type in a role's place. */
const roleOf = (message: Record<string, unknown>): string => {
  if (typeof message.role === 'string') return message.role;
  return typeof message.type === 'string' ? message.type.replaceAll('_', ' ') : 'item';
};
