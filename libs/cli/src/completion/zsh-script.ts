import type { CompletedCommand } from './completed-command.js';

/** Completions for zsh, for compinit as it comes with it. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(
    ({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', ' ')}`)}`,
  );
  const cases = commands.map(({ name, options, words, takesFile }) => {
    const specs = [
      ...options.map(optionSpec),
      ...(words.length > 0 ? [quoted(`1:what:(${words.join(' ')})`)] : []),
      ...(takesFile ? [quoted('*:file:_files')] : []),
    ];
    return `    ${name}) _arguments ${specs.join(' ')} ;;`;
  });
  return `#compdef spillway
# Completions of spillway for zsh.
_spillway() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$name" in
${cases.join('\n')}
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _spillway spillway`;
}

function optionSpec({ name, takesValue, choices, summary }: CompletedCommand['options'][number]): string {
  const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : '';
  return quoted(`--${name}[${summary.replace(/[[\]:]/g, ' ')}]${value}`);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
