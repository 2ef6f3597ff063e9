import { ShownText } from '@/ui/text/shown-text';
import { MessageLink } from '../../message-link';

/** The text of a summary field. Citations such as `[217]` link to covered messages. */
export function CitedText({ text, throughSeq }: { text: string; throughSeq: number }) {
  // A split with a group gives text and seqs in turn.
  return text.split(/\[(\d{1,9})\]/).map((piece, i) => {
    if (i % 2 === 0) return <ShownText key={i} text={piece} />;
    const seq = Number(piece);
    if (seq < 1 || seq > throughSeq) return `[${piece}]`;
    return (
      <MessageLink key={i} seq={seq} label={`Message ${piece}`}>
        [{piece}]
      </MessageLink>
    );
  });
}
