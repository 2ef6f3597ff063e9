import { diskBlobStore, grep, hashChunks, indexLines } from '@spillway/blobs';
import { temporaryFolder } from '@spillway/embedded';
import { expect, test } from 'vitest';

test.each([0, 1, 3])(
  'going on where a search stopped finds every match once, with %i lines around each',
  async (context) => {
    const folder = await temporaryFolder();
    try {
      const store = diskBlobStore(folder.path);
      const lines = Array.from({ length: 40 }, (_, i) =>
        i % 3 === 0 || i > 30 ? `match ${i + 1}` : `line ${i + 1}`,
      );
      const bytes = Buffer.from(lines.join('\n'));
      await store.write('p/blob', bytes);
      const blob = {
        key: 'p/blob',
        bytes: bytes.length,
        marks: indexLines(bytes).marks,
        chunkHashes: hashChunks(bytes),
      };
      const found: number[] = [];
      for (let from: number | null = 1; from !== null;) {
        const result = await grep(store, blob, {
          pattern: 'match',
          ignoreCase: false,
          context,
          limit: 2,
          from,
          deadlineMs: 5_000,
        });
        found.push(...result.matches.map((match) => match.line));
        expect(result.truncated).toBe(result.nextLine !== null);
        from = result.nextLine;
      }
      expect(found).toEqual(lines.flatMap((line, i) => (line.startsWith('match') ? [i + 1] : [])));
    } finally {
      await folder.remove();
    }
  },
);
