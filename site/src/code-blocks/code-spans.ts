import { partsOf } from '../markdown/fences.js';
import { requestComplaints } from './kinds/requests.js';
import { scriptComplaints } from './shell/shell.js';

/** Reports code spans in prose that name a route or a script which does not exist, each with its line. */
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

function spanComplaints(span: string): string[] {
  const [, methods, target] =
    /^((?:GET|POST|PUT|PATCH|DELETE)(?:, (?:GET|POST|PUT|PATCH|DELETE))*) (\/\S*)$/.exec(span) ?? [];
  if (methods !== undefined && !target!.includes('...'))
    return methods
      .split(', ')
      .flatMap((method) => requestComplaints({ method, target: target!.replace(/[.,]$/, '') }));
  const [, script] = /^npm run ([\w:-]+)/.exec(span) ?? [];
  return script === undefined ? [] : scriptComplaints(script);
}
