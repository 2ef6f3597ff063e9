import { routes } from '@spillway/contracts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf } from '../markdown/fences.js';
import { repository } from '../repository.js';
import { requestComplaints } from './kinds/requests.js';
import { scriptComplaints } from './shell/shell.js';

/** Reports code spans in prose that name a route, a script or a file which does not exist, each with its line. */
export function codeSpanComplaints(markdown: string): { line: number; message: string }[] {
  return partsOf(markdown)
    .filter((part) => part.kind === 'prose')
    .flatMap((part) =>
      [...part.text.matchAll(/`([^`\n]+)`/g)].flatMap((span) => {
        const line = part.line + part.text.slice(0, span.index).split('\n').length - 1;
        return spanComplaints(span[1]!).map((message) => ({ line, message }));
      }),
    );
}

const methodsAndTarget =
  /^((?:GET|POST|PUT|PATCH|DELETE)(?:, (?:GET|POST|PUT|PATCH|DELETE))*) (\/\S*|\.\.\.\/\S*|[a-z]+(?:\?\S*)?)$/;
/** A path from the top of the repository, without a placeholder. */
const repositoryPath =
  /^(?:apps|bench|deploy|docs|examples|libs|prisma|samples|site|test|tools)\/[\w./@[\]-]+$/;

function spanComplaints(span: string): string[] {
  const [, methods, target] = methodsAndTarget.exec(span) ?? [];
  if (methods !== undefined) {
    const asked = target!.replace(/[.,]$/, '');
    return methods.split(', ').flatMap((method) => targetComplaints(method, asked));
  }
  if (repositoryPath.test(span))
    return existsSync(join(repository, span)) ? [] : [`no file or folder ${span}`];
  const [, script] = /^npm run ([\w:-]+)/.exec(span) ?? [];
  return script === undefined ? [] : scriptComplaints(script);
}

/** A target is a path, or the end of one: `.../fork`, `context?wait=`. */
function targetComplaints(method: string, target: string): string[] {
  if (target.startsWith('/')) return requestComplaints({ method, target });
  const [end = '', query] = target.replace(/^\.\.\./, '').split('?');
  const paths = Object.keys(routes)
    .filter((name) => name.startsWith(`${method} `))
    .map((name) => name.slice(method.length + 1))
    .filter((path) => endsIn(path, end));
  if (paths.length === 0) return [`no route ${method} that ends in ${end}`];
  const complaints = paths.map((path) =>
    requestComplaints({ method, target: query === undefined ? path : `${path}?${query}` }),
  );
  return complaints.find((some) => some.length === 0) ?? complaints[0]!;
}

/** Whether the last segments of a path are these. */
const endsIn = (path: string, end: string): boolean => path.endsWith(end.startsWith('/') ? end : `/${end}`);
