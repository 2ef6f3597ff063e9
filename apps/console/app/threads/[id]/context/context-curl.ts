import type { FormatName } from './context-formats';

/** The request for this context as a shell command. Ids contain no character that is special within quotes. */
export function contextCurl(
  threadId: string,
  { at, format, apiAddress }: { at: number | null; format: FormatName; apiAddress: string },
): string {
  const query = new URLSearchParams({ ...(at === null ? {} : { at: String(at) }), format });
  const path = `/v1/threads/${encodeURIComponent(threadId)}/context?${query.toString()}`;
  return `curl -s "\${SPILLWAY_URL:-${apiAddress}}${path}" -H "Authorization: Bearer $SPILLWAY_KEY"`;
}
