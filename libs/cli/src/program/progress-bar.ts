const width = 24;

/** How far a command is, on one line: a bar where the total is known. */
export function progressBar(done: number, total: number | null, what: string): string {
  if (total === null || total <= 0) return `${done} ${what}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * width);
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${Math.floor(share * 100)} %  ${done} of ${total} ${what}`;
}
