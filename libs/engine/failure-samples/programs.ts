import { failure, type FailureSample } from './sample.js';

export const programFailures: readonly FailureSample[] = [
  failure(
    'a crash',
    `
|/repo/run.sh: line 4:  8812 Segmentation fault      (core dumped) ./server`,
  ),
  failure(
    'a killed process',
    `
|Killed
make[1]: *** [Makefile:40: link] Error 137`,
  ),
  failure(
    'the heap of node',
    `
<--- Last few GCs --->
[81:0x5] 41000 ms: Mark-sweep 2041 (2050) -> 2040 (2051) MB
|FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory`,
  ),
  failure(
    'python',
    `
Traceback (most recent call last):
  File "tools/gen.py", line 41, in <module>
    main()
  File "tools/gen.py", line 30, in main
    print(rows["total"])
|KeyError: 'total'`,
  ),
  failure(
    'node',
    `
/repo/tools/gen.js:14
    throw new Error('no rows in ' + path);
    ^

|Error: no rows in data/empty.csv
    at main (/repo/tools/gen.js:14:11)`,
  ),
  failure(
    'java',
    `
|Exception in thread "main" java.lang.NoClassDefFoundError: com/example/Cart
	at com.example.App.main(App.java:9)
|Caused by: java.lang.ClassNotFoundException: com.example.Cart`,
  ),
  failure(
    'ruby',
    `
|lib/cart.rb:14:in \`total': undefined method \`sum' for nil:NilClass (NoMethodError)
	from bin/cart:9:in \`<main>'`,
  ),
  failure(
    'rake',
    `
|rake aborted!
|LoadError: cannot load such file -- rspec/core/rake_task
/repo/Rakefile:3:in \`require'
(See full trace by running task with --trace)`,
  ),
  failure(
    'php',
    `
|PHP Fatal error:  Uncaught Error: Call to undefined function mb_strlen() in /repo/src/cart.php:14
Stack trace:
#0 {main}`,
  ),
  failure(
    'lua',
    `
|lua: cart.lua:14: attempt to index a nil value (field 'items')
stack traceback:
	cart.lua:14: in main chunk`,
  ),
  failure(
    'r',
    `
|Error in library(cart) : there is no package called ‘cart’
Calls: source -> withVisible -> eval -> eval -> library
Execution halted`,
  ),
  failure(
    'r check',
    `
* checking Rd cross-references ... OK
|* checking for missing documentation entries ... WARNING
|Undocumented code objects:
|  ‘total’`,
  ),
  failure(
    'emacs',
    `
|Debugger entered--Lisp error: (void-function cart-total)
  (cart-total)
  eval-buffer(#<buffer  *load*> nil "/repo/init.el" nil t)`,
  ),
];
