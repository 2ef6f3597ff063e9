import { IconTool } from '@tabler/icons-react';
import { ClipText } from './clip-text';
import { formatJson, type ShownToolCall } from './message-content';
import classes from './message-body.module.css';

interface Props {
  call: ShownToolCall;
  resultSeq: number | undefined;
  onGo: (seq: number) => void;
}

export function ToolCallCard({ call, resultSeq, onGo }: Props) {
  const args = formatJson(call.arguments) ?? call.arguments;
  return (
    <div className={classes.call}>
      <div className={classes.callHead}>
        <IconTool size={13} aria-hidden />
        <code>{call.name || 'unnamed tool'}</code>
        {resultSeq !== undefined && (
          <button type="button" className={classes.jump} onClick={() => onGo(resultSeq)}>
            result at {resultSeq}
          </button>
        )}
      </div>
      {args !== '' && args !== '{}' && <ClipText id={call.id} text={args} mono lines={10} />}
    </div>
  );
}
