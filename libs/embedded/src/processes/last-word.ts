const likely = [/^\s*(uncaught )?\w*(error|exception)\b[^('"]*:/i, /\b\w*error\b|fatal/i];

/** The line of a log that most likely explains the exit. Of a JSON log line, its message. */
export function lastWord(lines: readonly string[]): string | null {
  const printed = lines.map(plain).filter((line) => line.trim());
  for (const pattern of likely) {
    const line = printed.find((each) => pattern.test(each));
    if (line) return line.trim().slice(0, 300);
  }
  return printed.at(-1)?.trim().slice(0, 300) ?? null;
}

function plain(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level?: number;
      msg?: string;
      err?: { message?: string };
    };
    if ((level ?? 0) < 50) return '';
    return `Error: ${[msg, err?.message].filter(Boolean).join(': ')}`;
  } catch {
    return line;
  }
}
