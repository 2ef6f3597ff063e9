import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { repository } from '../../repository.js';
import { at, type CodeBlock } from '../block.js';

/** Where the lines are kept that stand before a fragment, by the name in its fence: `ts prelude=loop`. */
const preludes = 'docs/preludes';

/** Declarations of installed packages, which are parsed once for each process. Their options are always the same. */
const installed = new Map<string, ts.SourceFile | undefined>();

interface Module {
  block: CodeBlock;
  path: string;
  text: string;
  /** Lines before the block's own. */
  linesBefore: number;
}

/**
 * Type-checks blocks against the built packages of this repository, each as a module beside its page, so that imports
 * are found as in the page's own package. JavaScript is checked as TypeScript.
 */
export function typeComplaints(blocks: readonly CodeBlock[]): string[] {
  const missing = blocks.flatMap((block) => {
    const { prelude } = block.attributes;
    return prelude === undefined || existsSync(preludePath(prelude))
      ? []
      : [at(block, `no file ${preludes}/${prelude}.ts`)];
  });
  if (missing.length > 0) return missing;
  const modules = new Map(blocks.map((block) => moduleOf(block)).map((module) => [module.path, module]));
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const disk = ts.createCompilerHost(options);
  host.fileExists = (path) => modules.has(path) || disk.fileExists(path);
  host.readFile = (path) => modules.get(path)?.text ?? disk.readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const module = modules.get(path);
    if (module) return ts.createSourceFile(path, module.text, version);
    if (!path.includes('/node_modules/')) return disk.getSourceFile(path, version, ...rest);
    const source = installed.get(path) ?? disk.getSourceFile(path, version, ...rest);
    installed.set(path, source);
    return source;
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return [...modules.values()].flatMap((module) => {
    const source = program.getSourceFile(module.path)!;
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map((diagnostic) => complaint(module, source, diagnostic));
  });
}

const preludePath = (name: string): string => join(repository, preludes, `${name}.ts`);

/** A block with a prelude becomes a function behind it, so that it may name its values as the prelude does. */
function moduleOf(block: CodeBlock): Module {
  const path = join(
    repository,
    dirname(block.page),
    `block-${block.page.replaceAll('/', '-')}-${block.line}.ts`,
  );
  const { prelude } = block.attributes;
  if (prelude === undefined) return { block, path, text: `export {};\n${block.text}\n`, linesBefore: 1 };
  const { imports, rest } = withoutImports(block.text);
  const before = [
    readFileSync(preludePath(prelude), 'utf8'),
    ...imports,
    'export async function block() {',
  ].join('\n');
  return { block, path, text: `${before}\n${rest}\n}\n`, linesBefore: before.split('\n').length };
}

function withoutImports(text: string): { imports: string[]; rest: string } {
  const source = ts.createSourceFile('block.ts', text, ts.ScriptTarget.Latest);
  const found = source.statements
    .filter((statement) => ts.isImportDeclaration(statement))
    .map((statement) => text.slice(statement.getStart(source), statement.end));
  // Its lines stay, so that findings have the right ones.
  const rest = found.reduce((left, own) => left.replace(own, own.replace(/[^\n]/g, ' ')), text);
  return { imports: found.map((own) => own.replaceAll('\n', ' ')), rest };
}

function compilerOptions(): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(join(repository, 'tsconfig.base.json'), (path) =>
    readFileSync(path, 'utf8'),
  ) as { config: { compilerOptions: object }; error?: ts.Diagnostic };
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const { options } = ts.convertCompilerOptionsFromJson(
    {
      ...config.compilerOptions,
      // As a reader has them: built packages, and nothing of the sources.
      customConditions: [],
      composite: false,
      declaration: false,
      sourceMap: false,
      noEmit: true,
    },
    repository,
  );
  return options;
}

function complaint(module: Module, source: ts.SourceFile, diagnostic: ts.Diagnostic): string {
  const line = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line;
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
  const own = line - module.linesBefore;
  if (own < 0) return at(module.block, `its prelude does not compile: ${message}`);
  return at({ page: module.block.page, line: module.block.line + 1 + own }, message);
}
