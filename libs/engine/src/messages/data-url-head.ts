/** How a data URL of base64 begins. Parameters, such as a name, stand between the media type and `base64`. */
const head = /^data:([^;,]{0,200})(?:;[^;,]{1,400}){0,4};base64,/i;
/** More than a head can take. */
const maxLength = 2_000;

/** Returns the head of a data URL of base64 and its media type, which may be empty; undefined for any other text. */
export function dataUrlHead(text: string): { head: string; mediaType: string } | undefined {
  const found = head.exec(text.slice(0, maxLength));
  return found ? { head: found[0], mediaType: found[1]! } : undefined;
}
