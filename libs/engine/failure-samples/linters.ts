import { failure, type FailureSample } from './sample.js';

export const linterFailures: readonly FailureSample[] = [
  failure(
    'eslint',
    `
/repo/src/a.js
|  12:5  error  'x' is assigned a value but never used  no-unused-vars

✖ 1 problem (1 error, 0 warnings)`,
  ),
  failure(
    'prettier',
    `
Checking formatting...
|[warn] src/cart.ts
|[warn] Code style issues found in the above file. Run Prettier with --write to fix.`,
  ),
  failure('flake8', `|src/cart.py:14:80: E501 line too long (91 > 79 characters)`),
  failure(
    'black',
    `|would reformat src/cart.py
1 file would be reformatted, 90 files would be left unchanged.`,
  ),
  failure(
    'mypy',
    `|src/cart.py:14: error: Incompatible return value type (got "str", expected "int")  [return-value]
Found 1 error in 1 file (checked 90 source files)`,
  ),
  failure(
    'rubocop',
    `
Offenses:

|lib/cart.rb:14:7: C: Style/StringLiterals: Prefer single-quoted strings.
  "cart"
  ^^^^^^
90 files inspected, 1 offense detected`,
  ),
  failure(
    'checkstyle',
    `
|[ERROR] src/main/java/Cart.java:[14,3] (indentation) Indentation: 'method def' has incorrect indentation level 2, expected level should be 4.
[INFO] BUILD FAILURE`,
  ),
  failure(
    'gofmt',
    `
diff -u pool.go.orig pool.go
|gofmt check failed for these files:
|pool/pool.go`,
  ),
  failure(
    'shellcheck',
    `
|In build.sh line 14:
cd $DIR
   ^--^ SC2086: Double quote to prevent globbing and word splitting.`,
  ),
  failure(
    'stylelint',
    `
src/cart.css
| 14:3  ✖  Unexpected unknown property "colr"  property-no-unknown`,
  ),
  failure(
    'markdown links',
    `
Checking URLs: ✓✓✓✓→✓✓
|> Issues :-(
|> Links
|  1. [L0117] 404 https://example.com/gone
> Dupes
  None ✓`,
  ),
  failure(
    'html links',
    `
Running 3 checks (Images, Links, Scripts) on 40 files
|- ./_site/index.html
|  *  External link https://example.com/gone failed: 404 No error (line 41)
HTML-Proofer found 1 failure!`,
  ),
  failure(
    'commitlint',
    `
⧗   input: fixed it
|✖   subject may not be empty [subject-empty]
|✖   type may not be empty [type-empty]
✖   found 2 problems, 0 warnings`,
  ),
  failure(
    'a dirty tree',
    `
$ git diff --exit-code
|diff --git a/gen/cart.pb.go b/gen/cart.pb.go
|--- a/gen/cart.pb.go
|+++ b/gen/cart.pb.go
@@ -1,3 +1,3 @@
|-// protoc v3.1
|+// protoc v3.2
The command "git diff --exit-code" exited with 1.`,
  ),
  failure(
    'a coverage limit',
    `
Statements   : 89.1% ( 900/1010 )
|ERROR: Coverage for statements (89.1%) does not meet global threshold (90%)`,
  ),
  failure(
    'a size limit',
    `
|  Package size limit has exceeded by 1.2 kB
  Size limit:   10 kB
  Size:         11.2 kB`,
  ),
];
