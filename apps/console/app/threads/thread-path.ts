/** The page of a thread, at one of its messages if given. Ids may hold `:` and `@`. */
export const threadPath = (id: string, seq?: number | null): string =>
  `/threads/${encodeURIComponent(id)}${seq ? `?seq=${seq}` : ''}`;
