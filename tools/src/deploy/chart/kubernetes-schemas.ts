import ts from 'typescript';
import { join } from 'node:path';
import { repository } from '../../repository.js';
import { nameOf, type Manifest } from './manifest.js';

/** A class of kubernetes-models: its types and its validator come from the OpenAPI schemas of Kubernetes. */
type Model = new (data: object) => { validate(): void };

const packages: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** The module that has the kind of an object: of Kubernetes itself, of KEDA or of the Prometheus Operator. */
function moduleOf({ apiVersion }: Manifest): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return [packages[group!] ?? 'kubernetes-models', group, version].filter(Boolean).join('/');
}

/** What the schemas find wrong: values, and required fields that are missing. */
export async function invalidValues(manifests: readonly Manifest[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const manifest of manifests) {
    const models = (await import(moduleOf(manifest))) as Record<string, Model | undefined>;
    const Kind = models[manifest.kind];
    if (!Kind) {
      complaints.push(`${nameOf(manifest)}: ${manifest.apiVersion} has no such kind`);
      continue;
    }
    try {
      new Kind(manifest).validate();
    } catch (error) {
      complaints.push(`${nameOf(manifest)}: ${(error as Error).message}`);
    }
  }
  return complaints;
}

const compiler: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};
/** The types of Kubernetes take longer to read than a release to check: they are read once. */
const read = new Map<string, ts.SourceFile | undefined>();

/**
 * What the types find wrong. The schemas accept any field that they do not know, such as `readinesProbe`, and so does
 * Kubernetes, which drops it. The compiler refuses unknown fields of an object that is written out.
 */
export function unknownFields(manifests: readonly Manifest[]): string[] {
  const file = join(repository, 'tools/manifests.ts');
  const lines = manifests.map(
    (manifest, i) =>
      `export const m${i}: import(${JSON.stringify(moduleOf(manifest))}).I${manifest.kind} = ${JSON.stringify(manifest)};`,
  );
  const host = ts.createCompilerHost(compiler);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...more) => {
    if (name === file) return ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022);
    if (!read.has(name)) read.set(name, readSource(name, ...more));
    return read.get(name);
  };
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  const program = ts.createProgram([file], compiler, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
    if (!diagnostic.file || diagnostic.start === undefined) return text;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
    const manifest = diagnostic.file.fileName === file ? manifests[line] : undefined;
    return `${manifest ? nameOf(manifest) : diagnostic.file.fileName}: ${text}`;
  });
}
