import { IconCornerDownRight, IconPhoto } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { ShownText } from '@/ui/text/shown-text';
import { ClipText } from './clip-text';
import { contentOf } from './message-content';
import classes from './message-body.module.css';
import { OffloadedOutput } from './offloaded-output';
import { ToolCallCard } from './tool-call-card';
import type { ToolTies } from './tool-ties';

interface Props {
  message: Schemas['Message'];
  ties: ToolTies;
  words: readonly string[];
  onGo: (seq: number) => void;
}

export function MessageBody({ message, ties, words, onGo }: Props) {
  const content = contentOf(message.message);
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
          words={words}
        />
      )}
      {content.otherParts.map((type, i) => (
        <p key={i} className={classes.part}>
          <IconPhoto size={14} aria-hidden /> {type.replaceAll('_', ' ')}: sent to the model, not shown here
        </p>
      ))}
      {content.toolCalls.map((toolCall) => (
        <ToolCallCard
          key={toolCall.id}
          call={toolCall}
          result={ties.resultOf(toolCall.id, message.seq)}
          words={words}
          onGo={onGo}
        />
      ))}
      {content.text === '' && content.toolCalls.length === 0 && content.otherParts.length === 0 && (
        <p className={classes.part}>{content.answers.length > 0 ? 'Empty result' : 'No content'}</p>
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
    <p className={classes.tie} data-call={id}>
      <IconCornerDownRight size={13} aria-hidden />
      {call ? (
        <>
          result of{' '}
          <code>
            <ShownText text={call.name} />
          </code>{' '}
          <button type="button" className={classes.jump} onClick={() => onGo(call.seq)}>
            call at {call.seq}
          </button>
        </>
      ) : (
        <>
          result of{' '}
          <code className={classes.callId}>
            <ShownText text={id} />
          </code>
        </>
      )}
    </p>
  );
}
