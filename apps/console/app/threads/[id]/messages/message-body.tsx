import { IconCornerDownRight, IconFileText } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { bytes, plural, short } from '@/ui/quantity';
import { ClipText } from './clip-text';
import { readContent } from './message-content';
import classes from './message-body.module.css';
import { ToolCallCard } from './tool-call-card';
import type { ToolTies } from './tool-ties';

interface Props {
  message: Schemas['Message'];
  ties: ToolTies;
  onGo: (seq: number) => void;
}

export function MessageBody({ message, ties, onGo }: Props) {
  const content = readContent(message.message);
  return (
    <div className={classes.body}>
      {content.answers.map((id) => (
        <ResultOf key={id} id={id} call={ties.callOf(id, message.seq)} onGo={onGo} />
      ))}
      {message.outputs.map((output) => (
        <OffloadedOutput key={output.id} output={output} />
      ))}
      {content.text !== '' && (
        <ClipText
          id={`m${message.seq}`}
          text={content.text}
          mono={message.role === 'tool'}
          format={message.role === 'tool' && message.output === null}
          lines={message.output ? 8 : 14}
        />
      )}
      {content.otherParts.map((type, i) => (
        <p key={i} className={classes.part}>
          {type} part, not shown
        </p>
      ))}
      {content.toolCalls.map((toolCall) => (
        <ToolCallCard
          key={toolCall.id}
          call={toolCall}
          resultSeq={ties.resultOf(toolCall.id, message.seq)}
          onGo={onGo}
        />
      ))}
      {content.text === '' && content.toolCalls.length === 0 && content.otherParts.length === 0 && (
        <p className={classes.part}>No content</p>
      )}
    </div>
  );
}

interface ResultOfProps {
  id: string;
  call: { seq: number; name: string } | undefined;
  onGo: (seq: number) => void;
}

function ResultOf({ id, call, onGo }: ResultOfProps) {
  return (
    <p className={classes.tie}>
      <IconCornerDownRight size={13} aria-hidden />
      {call ? (
        <>
          result of <code>{call.name}</code>{' '}
          <button type="button" className={classes.jump} onClick={() => onGo(call.seq)}>
            call at {call.seq}
          </button>
        </>
      ) : (
        <>
          result of <code className={classes.callId}>{id}</code>
        </>
      )}
    </p>
  );
}

function OffloadedOutput({ output }: { output: Schemas['OutputRef'] }) {
  return (
    <p className={classes.output} data-state={output.state}>
      <IconFileText size={14} aria-hidden />
      <Link href={`/outputs/${output.id}`} prefetch={false}>
        {output.state === 'ready' ? 'Open the full output' : `Output ${output.state}`}
      </Link>
      <span className="num">
        {bytes(output.bytes)} · {plural(output.lines, 'line')} · {short(output.tokens)} tokens
      </span>
      <span className="dim">the model sees the stub below</span>
    </p>
  );
}
