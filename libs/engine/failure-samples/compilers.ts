import { failure, type FailureSample } from './sample.js';

export const compilerFailures: readonly FailureSample[] = [
  failure('tsc', `|src/a.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.`),
  failure(
    'pretty tsc',
    `
|src/cart.ts:31:15 - error TS2345: Argument of type 'null' is not assignable to parameter of type 'Item'.

31     this.add(null);
                ~~~~
Found 1 error in src/cart.ts:31`,
  ),
  failure(
    'javac by maven',
    `
[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR :
[INFO] -------------------------------------------------------------
|[ERROR] /repo/src/main/java/App.java:[17,24] cannot find symbol
|[ERROR]   symbol:   class Widget
[INFO] 1 error
[INFO] BUILD FAILURE
[INFO] Total time:  4.1 s
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.8:compile (default-compile) on project app: Compilation failure
[ERROR] -> [Help 1]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.`,
  ),
  failure(
    'javac by gradle',
    `
> Task :app:compileJava FAILED
|/repo/app/src/main/java/Cart.java:44: error: incompatible types: String cannot be converted to int
        int n = "x";
                ^
1 error

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:compileJava'.
> Compilation failed; see the compiler error output for details.`,
  ),
  failure(
    'kotlinc',
    `
> Task :compileKotlin FAILED
|e: file:///repo/src/main/kotlin/App.kt:12:5 Unresolved reference: foo
FAILURE: Build failed with an exception.`,
  ),
  failure(
    'scalac by sbt',
    `
[info] Compiling 41 Scala sources to /repo/target/classes ...
|[error] /repo/src/main/scala/Cart.scala:17: type mismatch;
|[error]  found   : String
|[error]  required: Int
[error]     add("x")
[error]         ^
[error] one error found
[error] (compile:compileIncremental) Compilation failed
[error] Total time: 31 s, completed Jan 3, 2019`,
  ),
  failure(
    'ghc',
    `
|src/Main.hs:14:9: error:
|    • Couldn't match expected type ‘Int’ with actual type ‘Text’
    • In the first argument of ‘f’, namely ‘t’
   |
14 |   f t
   |     ^`,
  ),
  failure(
    'cabal resolving',
    `
Resolving dependencies...
|cabal: Could not resolve dependencies:
|[__0] trying: app-0.1 (user goal)
|[__1] next goal: base (dependency of app)
[__1] rejecting: base-4.14 (conflict: app => base<4.13)
After searching the rest of the dependency tree exhaustively, these were the goals I've had most trouble fulfilling: base, app`,
  ),
  failure(
    'ocaml',
    `
|File "src/cart.ml", line 12, characters 4-9:
|Error: Unbound value totl
Hint: Did you mean total?`,
  ),
  failure(
    'dotnet',
    `
|Program.cs(8,13): error CS0103: The name 'Foo' does not exist in the current context [/repo/app.csproj]
    0 Warning(s)
    1 Error(s)
Time Elapsed 00:00:04.11`,
  ),
  failure(
    'erlc',
    `
===> Compiling cart
===> Compiling src/cart.erl failed
|src/cart.erl:14: function total/1 undefined`,
  ),
  failure(
    'elixir',
    `
== Compilation error in file lib/cart.ex ==
|** (CompileError) lib/cart.ex:12: undefined function total/1
    (stdlib) lists.erl:1338: :lists.foreach/2`,
  ),
  failure(
    'purescript',
    `
Error found:
|in module Cart
|at src/Cart.purs:20:3 - 20:9 (line 20, column 3 - line 20, column 9)

|  Unknown value totl

See https://github.com/purescript/documentation for more information`,
  ),
  failure(
    'latex',
    `
(./chapters/intro.tex [3] [4]
|! Undefined control sequence.
|l.214 \\foobar
               {x}
!  ==> Fatal error occurred, no output PDF file produced!`,
  ),
  failure(
    'perl',
    `
|Can't locate DBI.pm in @INC (you may need to install the DBI module) (@INC contains: /etc/perl /usr/share/perl5) at cart.pl line 7.
BEGIN failed--compilation aborted at cart.pl line 7.`,
  ),
  failure(
    'webpack',
    `
|ERROR in ./src/app.js 3:0-30
|Module not found: Error: Can't resolve './mising' in '/repo/src'
webpack 5.90.0 compiled with 1 error in 1803 ms`,
  ),
  failure(
    'vite',
    `
transforming (31) src/main.ts
x Build failed in 210ms
error during build:
|[vite]: Rollup failed to resolve import "lodash-es" from "/repo/src/main.ts".
This is most likely unintended because it can break your application at runtime.`,
  ),
  failure(
    'sass',
    `
|Error: Undefined variable: "$gren".
|        on line 14 of scss/_cart.scss
>>   color: $gren;
   ---------^`,
  ),
];
