import { ClipText } from '../messages/content/clip-text';
import classes from './context.module.css';
import { KindChip } from './kind-chip';

/** The system prompt, which formats send beside the messages. Nothing when there is none. */
export function SystemPrompt({ text, note }: { text: string | null | undefined; note: string }) {
  if (!text) return null;
  return (
    <div className={classes.sent}>
      <div className={classes.sentHead}>
        <KindChip kind="system" /> {note}
      </div>
      <ClipText id="system" text={text} lines={6} />
    </div>
  );
}
