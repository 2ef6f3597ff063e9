import { parse } from 'shell-quote';

/**
 * Returns the commands of a script as lists of words, without comments, assignments and redirections. Variables stay as
 * they are written, and `<id>` is a placeholder, not a redirection.
 */
export function commandsOf(script: string): string[][] {
  const lines = script.replaceAll('\\\n', ' ').split('\n');
  return logicalLines(lines).flatMap((line) => commandsOfLine(line.replace(/<(\w[\w ]*)>/g, '{$1}')));
}

/** Joins lines while a quotation is open: the body of a request may have several. */
function logicalLines(lines: readonly string[]): string[] {
  const whole: string[] = [];
  let open = '';
  for (const line of lines) {
    const text = open === '' ? line : `${open}\n${line}`;
    if (isOpen(text)) open = text;
    else {
      whole.push(text);
      open = '';
    }
  }
  if (open !== '') throw new Error('a quotation is not closed');
  return whole;
}

function isOpen(text: string): boolean {
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (letter === '\\' && quote !== "'") i++;
    else if (quote === '' && letter === '#' && (i === 0 || /\s/.test(text[i - 1]!))) return false;
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
    else if (letter === quote) quote = '';
  }
  return quote !== '';
}

function commandsOfLine(line: string): string[][] {
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const token of parse(line, (name) => `$${name}`)) {
    if (typeof token === 'string') {
      const own = commands.at(-1)!;
      // A redirection's target, such as a file or the other stream, is no word of the command.
      if (isTarget) isTarget = false;
      else if (own.length > 0 || !/^\w+=/.test(token)) own.push(token);
    } else if ('comment' in token) break;
    else if (token.op === 'glob') commands.at(-1)!.push(token.pattern);
    else if (/^[<>]/.test(token.op)) {
      isTarget = true;
      // The number of a stream stands before its redirection.
      if (/^\d$/.test(commands.at(-1)!.at(-1) ?? '')) commands.at(-1)!.pop();
    } else commands.push([]);
  }
  return commands.filter((words) => words.length > 0);
}
