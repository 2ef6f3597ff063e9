import { beforeAll, expect, test } from 'vitest';
import { loadCounter, type CountTokens } from '../../../tokens/counter.js';
import { readDiff } from './read-diff.js';
import { previewOf } from '../previews.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('o200k');
});
const room = { tokens: 600, headLines: 5, tailLines: 5 };

const changes = `diff --git a/src/old.ts b/src/new.ts
similarity index 95%
rename from src/old.ts
rename to src/new.ts
--- a/src/old.ts
+++ b/src/new.ts
@@ -1,3 +1,4 @@ export function total(items) {
 unchanged
-old line
+new line
+another line
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/src/gone.ts b/src/gone.ts
deleted file mode 100644
--- a/src/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
`;

test.each([
  [
    'renames and functions',
    'src/new.ts +2 -1 (line 1); renamed from src/old.ts; in export function total(items) {',
  ],
  ['modes', 'run.sh +0 -0 (line 12); mode 100644 → 100755'],
  ['deletions', 'src/gone.ts +0 -1 (line 15); deleted'],
  ['binary files', 'logo.png +0 -0 (line 21); new, binary'],
  ['how many of each', '4 changed files, +2 -2, 1 renamed, 1 with another mode, 1 deleted, 1 new, 1 binary'],
])('a diff shows %s', (_what, line) => {
  expect(previewOf(changes, room, count).text).toContain(line);
});

test('a diff of many files names as many as it can, each once', () => {
  const file = (i: number) => `diff --git a/src/m${i}.ts b/src/m${i}.ts\n@@ -1 +1 @@\n-a\n+b\n`;
  const text = [...Array.from({ length: 300 }, (_, i) => file(i)), file(3)].join('');
  const shown = previewOf(text, room, count).text;
  expect(shown).toContain('300 changed files, +301 -301');
  expect(shown).toContain('src/m3.ts +2 -2');
  const named = new Set(shown.match(/src\/m\d+\.ts/g)).size;
  expect(named).toBeGreaterThan(25);
  expect(shown).toContain(`${300 - named} more files not shown`);
});

const changed = (text: string) =>
  readDiff(text).files.map(({ path, added, removed }) => `${path} +${added} -${removed}`);

test.each([
  [
    'a removed comment of SQL and an added line with ++ are changes',
    `diff --git a/a.sql b/a.sql
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,2 @@
 select 1;
--- a comment
--- another
+++ odd
`,
    ['a.sql +1 -2'],
  ],
  [
    'paths may hold blanks',
    `diff --git a/my notes.md b/my notes.md
--- a/my notes.md
+++ b/my notes.md
@@ -1 +1 @@
-a
+b
diff --git a/old name.md b/new name.md
similarity index 100%
rename from old name.md
rename to new name.md
`,
    ['my notes.md +1 -1', 'new name.md +0 -0'],
  ],
  [
    'files of diff -u, one of them gone',
    `--- a.txt\t2024-01-01 00:00:00
+++ b.txt\t2024-01-02 00:00:00
@@ -1 +1 @@
-a
+b
--- gone.txt\t2024-01-01 00:00:00
+++ /dev/null\t1970-01-01 00:00:00
@@ -1 +0,0 @@
-c
`,
    ['b.txt +1 -1', 'gone.txt +0 -1'],
  ],
])('%s', (_what, text, files) => {
  expect(changed(text)).toEqual(files);
});
