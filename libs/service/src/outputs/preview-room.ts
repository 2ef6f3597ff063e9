import type { Policy, PreviewRoom } from '@spillway/engine';

/** The room that a policy gives the preview in a stub. */
export const previewRoomOf = ({ outputs }: Policy): PreviewRoom => ({
  tokens: outputs.preview_tokens,
  headLines: outputs.head_lines,
  tailLines: outputs.tail_lines,
});
